// SVG by hand, element by element: whatever a text says, it stays text.

const SVG = "http://www.w3.org/2000/svg";
const FAMILY = "Fira Sans Condensed, DejaVu Sans Condensed, Arial Narrow, sans-serif";
const INKED = "#1a1a1a", PAPER = "#fbf8f0";

/** @param {string} name @param {Row} [facts] @param {(Element | string | null)[]} inside @returns {SVGElement} */
function svg(name, facts = {}, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(facts)) if (value !== null && value !== undefined) made.setAttribute(key, String(value));
  made.append(...inside.filter(one => one !== null));
  return made;
}

/** @param {string} name @param {Row} [facts] @param {(Element | string | null)[]} inside @returns {HTMLElement} */
function html(name, facts = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(facts)) if (value !== null && value !== undefined) made.setAttribute(key, String(value));
  made.append(...inside.filter(one => one !== null));
  return made;
}

const path = (d, facts = {}) => svg("path", { d, fill: "none", ...facts });
const rect = (x, y, width, height, fill, facts = {}) => svg("rect", { x, y, width, height, fill, ...facts });
const label = (x, y, said, size, facts = {}) => svg("text", { x, y: y + size * 0.35, "font-size": size, ...facts }, said);

const wide = (() => {
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  /** @type {Record<string, number>} */
  const known = {};
  return (said, size, bold = true) => {
    const key = `${size} ${bold} ${said}`;
    if (!(key in known)) {
      pen.font = `${bold ? 700 : 400} ${size}px ${FAMILY}`;
      known[key] = pen.measureText(said).width;
    }
    return known[key];
  };
})();

const round = value => Math.round(value * 10) / 10;
