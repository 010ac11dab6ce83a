// Who is who: in colours, or, by the reader's choice, in patterns alone.

class Look {
  /** @param {Row} palette */
  constructor(palette) {
    this.palette = palette;
    this.patterned = false;
  }

  /** What a Province, a town, the strip of a piece is filled with. @param {string} seat */
  fill(seat) { return this.patterned && seat ? `url(#p-${seat})` : this.palette.colour[seat]; }

  /** @param {string} seat */
  line(seat) { return this.patterned ? INKED : this.palette.colour[seat] || INKED; }

  /** @param {string} seat */
  ink(seat) { return this.patterned ? "#000" : this.palette.ink[seat]; }

  /** What lies behind words. @param {string} seat */
  body(seat) { return this.patterned ? PAPER : this.palette.colour[seat]; }

  /** @param {string} seat */
  province(seat) { return seat ? `url(#${this.patterned ? "p" : "h"}-${seat})` : this.palette.tint[""]; }

  /** @param {string} seat */
  edge(seat) { return this.patterned && seat ? INKED : this.palette.edge[seat]; }

  /** The patterns in black and white. @param {string[]} seats */
  patterns(seats) {
    return svg("defs", {}, ...seats.map(seat => svg("pattern", { id: `p-${seat}`, width: 10, height: 10, patternUnits: "userSpaceOnUse" },
      rect(0, 0, 10, 10, "#fff"),
      path(this.palette.hatch[seat], { stroke: "#000", "stroke-width": seat === "yellow" ? 3 : 1.3,
        "stroke-linecap": seat === "yellow" ? "round" : "butt", "stroke-opacity": 0.75 }))));
  }
}
