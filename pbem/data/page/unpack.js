// The data lie packed in the script: nothing is fetched, so the page works from a disk as well.

const DIGITS = 91;                                          // of which two signs hold thirteen bits

/** @param {string} packed @returns {Uint8Array} */
function bytesOf(packed) {
  const out = new Uint8Array(packed.length / 2 * 13 >> 3);
  const digit = place => { const code = packed.charCodeAt(place); return code - (code > 92 ? 36 : code > 60 ? 35 : code > 34 ? 34 : 33); };
  let at = 0, held = 0, many = 0;
  for (let place = 0; place < packed.length; place += 2) {
    held = held << 13 | digit(place) * DIGITS + digit(place + 1);
    for (many += 13; many >= 8; many -= 8) out[at++] = held >> many - 8;
    held &= (1 << many) - 1;
  }
  return out;
}

/** @param {string} packed @param {number} size @returns {Data} */
function unpacked(packed, size) {
  const data = JSON.parse(new TextDecoder().decode(decoded(bytesOf(packed), size)));
  let next = 0;
  data.entries = data.entries.map(([kind, lines, says, seats, dice, window, undone], place) => ({
    number: place + 1, kind, undone: undone || 0, seats: seats || [], says: says || "", dice: dice || [], window: window || {},
    lines: (lines || []).map(([what, again, shown, places]) => ({
      what, text: again ? again - 1 : next++, shown: shown || [], places: places || ((shown || [])[0] || {}).path || [],
    })),
  }));
  return data;
}
