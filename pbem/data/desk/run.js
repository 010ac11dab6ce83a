// The engine as it runs in the reader's browser: a worker out of a blob, Python in it, the program in that. All of it comes as texts
// in engine.js: nothing is fetched, from a disk as little as from a server.

/** The whole worker; it is handed over as text, and shares nothing with the page. */
function works() {
  const NOWHERE = "https://x.invalid/";                     // asked for by the glue, answered from what is here
  const READY = `import sys, zoneinfo; sys.path.insert(0, "/site"); zoneinfo.reset_tzpath(["/site/zones"])`;
  const DESK = `from pbem.browser.answers import Engine
Engine().answer`, LESSON = `from pathlib import Path
from pbem.cli.terminal import Terminal
Terminal(Path("/lesson")).answer`;
  class Damaged extends Error { }
  /** @type {(request: string) => string} */
  let answer;

  /** @param {string} text */
  async function unpacked(text) {
    const signs = atob(text), bytes = new Uint8Array(signs.length);
    for (let place = 0; place < bytes.length; place++) bytes[place] = signs.charCodeAt(place);
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  }

  /** @param {BlobPart} code */
  const link = code => URL.createObjectURL(new Blob([code], { type: "text/javascript" }));

  /** @param {Record<string, string>} texts */
  async function begin(texts) {
    /** @type {Record<string, Uint8Array<ArrayBuffer>>} */
    const parts = {};
    for (const [name, text] of Object.entries(texts)) {
      parts[name] = await unpacked(text).catch(() => { throw new Damaged(name); });
      postMessage({ read: text.length });
    }
    const wasm = parts["pyodide.asm.wasm"];
    if (String(wasm.slice(0, 4)) !== "0,97,115,109") throw new Damaged("wasm");
    self.fetch = async asked => {
      const name = String(asked instanceof Request ? asked.url : asked);
      if (name.endsWith(".wasm")) return new Response(wasm, { headers: { "content-type": "application/wasm" } });
      return name.endsWith(".zip") ? new Response(parts["python_stdlib.zip"]) : new Response("", { status: 404 });
    };
    const read = name => new TextDecoder().decode(parts[name]);
    const glue = read("pyodide.asm.mjs").replaceAll("import.meta.url", `"${NOWHERE}pyodide.asm.mjs"`);
    const { default: createPyodideModule } = await import(link(glue));
    const { loadPyodide } = await import(link(parts["pyodide.mjs"]));
    const python = await loadPyodide({ createPyodideModule, indexURL: NOWHERE, lockFileContents: read("pyodide-lock.json"),
      stdLibURL: `${NOWHERE}python_stdlib.zip` });
    python.unpackArchive(parts["site.zip"], "zip", { extractDir: "/site" });
    if (parts["lesson.zip"]) python.unpackArchive(parts["lesson.zip"], "zip", { extractDir: "/site" });
    python.runPython(READY);
    answer = python.runPython(parts["lesson.zip"] ? LESSON : DESK);
    postMessage({ ready: true });
  }

  self.onmessage = async ({ data }) => {
    try {
      if (data.parts) await begin(data.parts);
      else {
        const told = answer(data.request);
        if (typeof told !== "string") throw new Error("the engine has stopped");      // nothing else is heard of it then
        postMessage({ answer: told });
      }
    } catch (error) {                                       // an error of the runtime would print a megabyte
      postMessage({ problem: String(error).trim().split("\n").slice(-1)[0].slice(0, 300), damaged: error instanceof Damaged });
    }
  };
}
