// Is this page up to date? A mail or a report says in its last lines which entry is the newest, and the log's head then.

const NAMED = /(\d{1,6})\D{0,60}?(?<![0-9a-f])([0-9a-f]{32})(?![0-9a-f])/g;

/** What a pasted text says of this page: a word of the page's own, and its facts. @param {string} text @param {Data} data
 *  @returns {[string, Row]} */
function fresh(text, data) {
  const heads = [...text.matchAll(NAMED)].map(([, entry, head]) => ({ entry: Number(entry), head }));
  const newest = heads.sort((a, b) => b.entry - a.entry)[0], of = data.entries.length;
  if (!newest) return ["fresh_none", {}];
  if (newest.entry > of) return ["fresh_older", { n: of, of: newest.entry }];
  if (newest.entry < of) return ["fresh_newer", { n: newest.entry, of }];
  return [data.head.startsWith(newest.head) ? "fresh_same" : "fresh_other", { n: of }];
}
