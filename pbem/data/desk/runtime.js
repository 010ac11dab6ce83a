// The engine from the page's side: fetched when somebody wants it, asked by number, answered in any sequence.

const PATIENCE = 60_000;                                    // milliseconds without a word from it

class Problem extends Error {
  /** @param {string} key @param {Row} [facts] */
  constructor(key, facts = {}) {
    super(key);
    this.key = key;
    this.facts = facts;
  }
}

class Runtime {
  constructor() {
    /** @type {any} */
    this.worker = null;
    this.number = 0;
    /** @type {Map<number, (answer: Row) => void>} */
    this.waiting = new Map();
  }

  /** With what a page brings itself. @param {(read: number, size: number) => void} progress @param {Record<string, string>} brought */
  async start(progress, brought = {}) {
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") throw new Problem("too_old");
    await fetched("engine.js");
    const engine = window.pbemEngine;
    if (!engine) throw new Problem("damaged");              // a file that was cut off is no script
    const size = Object.values(brought).reduce((sum, text) => sum + text.length, engine.size);
    let read = 0;
    await new Promise((ready, failed) => {
      const slow = () => failed(new Problem("too_slow", { seconds: PATIENCE / 1000 }));
      let limit = setTimeout(slow, PATIENCE);
      const worker = this.worker = engine.start();
      worker.onerror = event => { event.preventDefault(); failed(new Problem("broken", { problem: event.message || "worker" })); };
      worker.onmessage = ({ data }) => {
        clearTimeout(limit);
        if (data.read) {
          limit = setTimeout(slow, PATIENCE);
          progress(read += data.read, size);
        } else if (data.ready) ready(null);
        else if (data.problem) {
          failed(new Problem(data.damaged ? "damaged" : "broken", data));
          this.lost(data.problem);
        } else this.answered(JSON.parse(data.answer));
      };
      worker.postMessage({ parts: { ...engine.parts, ...brought } });
      engine.parts = null;                                  // the worker has them now
    }).catch(problem => {
      this.worker.terminate();
      this.worker = null;
      throw problem;
    });
  }

  /** @param {Row} facts @returns {Promise<Row>} */
  ask(facts) {
    const number = ++this.number;
    return new Promise(done => {
      this.waiting.set(number, done);
      this.worker.postMessage({ request: JSON.stringify({ pbem: 1, number, ...facts }) });
    });
  }

  /** @param {Row} answer */
  answered(answer) {
    const done = this.waiting.get(answer.number);
    this.waiting.delete(answer.number);
    if (done) done(answer);
  }

  /** What was asked stays without an answer. @param {string} problem */
  lost(problem) {
    for (const done of this.waiting.values()) done({ error: problem });
    this.waiting.clear();
  }
}

/** A script from beside the page, when it has run. @param {string} name */
function fetched(name) {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = name;
    script.addEventListener("error", () => failed(new Problem("no_engine")));
    script.addEventListener("load", done);
    document.head.append(script);
  });
}
