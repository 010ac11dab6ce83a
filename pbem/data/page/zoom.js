// The map larger and smaller: by buttons, by two fingers, by the wheel with Ctrl; moving it is the browser's own scrolling.

const LARGEST = 5;

class Zoom {
  /** @param {HTMLElement} frame @param {Board} board */
  constructor(frame, board) {
    this.frame = frame;
    this.board = board;
    this.picture = /** @type {SVGElement} */ (frame.querySelector("svg"));
    this.scale = 1;
    /** @type {Map<number, [number, number]>} */
    this.fingers = new Map();
    this.spread = 0;
    const act = (id, to) => document.getElementById(id)?.addEventListener("click", () => this.to(to()));
    act("larger", () => this.scale * 1.4);
    act("smaller", () => this.scale / 1.4);
    act("fit", () => 1);
    frame.addEventListener("wheel", event => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.to(this.scale * (event.deltaY < 0 ? 1.15 : 1 / 1.15), event.clientX, event.clientY);
    }, { passive: false });
    frame.addEventListener("pointerdown", event => this.fingers.set(event.pointerId, [event.clientX, event.clientY]));
    frame.addEventListener("pointermove", event => this.pinched(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"])
      frame.addEventListener(name, event => { this.fingers.delete(/** @type {PointerEvent} */ (event).pointerId); this.spread = 0; });
  }

  /** On a narrow screen the map begins enlarged. */
  begin() { if (this.frame.clientWidth < 640) this.to(2.6); }

  /** An enlarged map shows where something happens. @param {string} space */
  toward(space) {
    const { frame } = this, at = space && this.board.layout.places[space]?.at, part = frame.clientWidth * this.scale / this.board.layout.size[0];
    if (!at || this.scale === 1) return;
    const [x, y] = [at[0] * part - frame.scrollLeft, at[1] * part - frame.scrollTop], rim = 40;
    if (x < rim || y < rim || x > frame.clientWidth - rim || y > frame.clientHeight - rim)
      frame.scrollTo(at[0] * part - frame.clientWidth / 2, at[1] * part - frame.clientHeight / 2);
  }

  /** @param {number} scale @param {number} [x] @param {number} [y] what stays where it is; the middle, if nothing is said */
  to(scale, x, y) {
    const { frame } = this, before = this.scale, area = frame.getBoundingClientRect();
    this.scale = Math.min(LARGEST, Math.max(1, scale));
    const [across, down] = [(x ?? area.left + area.width / 2) - area.left, (y ?? area.top + area.height / 2) - area.top];
    const left = (frame.scrollLeft + across) * this.scale / before - across, top = (frame.scrollTop + down) * this.scale / before - down;
    this.picture.style.width = `${100 * this.scale}%`;
    frame.scrollTo(left, top);
  }

  /** @param {PointerEvent} event */
  pinched(event) {
    if (!this.fingers.has(event.pointerId)) return;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size !== 2) return;
    const [[a, b], [c, d]] = [...this.fingers.values()], spread = Math.hypot(a - c, b - d);
    if (this.spread) this.to(this.scale * spread / this.spread, (a + c) / 2, (b + d) / 2);
    this.spread = spread;
  }
}
