// LZMA, as 7-Zip's specification has it, for what pbem/page/packed.py writes: no bits of the position, three of context.

const MATCH = 0, REP = 12, REP0 = 24, REP1 = 36, REP2 = 48, LONG = 60, SLOTS = 72, SPECIAL = 328, ALIGN = 443, LENGTHS = 459, REPEATS = 733;
const LITERALS = 1007;                                      // where each kind of probability begins in one array

class Decoder {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 5;
    this.range = 0xffffffff;
    this.code = (bytes[1] << 24 | bytes[2] << 16 | bytes[3] << 8 | bytes[4]) >>> 0;
    this.odds = new Uint16Array(LITERALS + 0x300 * 8).fill(1024);
  }

  next() {
    if (this.range < 0x1000000) {
      this.range = this.range << 8 >>> 0;
      this.code = (this.code << 8 | this.bytes[this.at++]) >>> 0;
    }
  }

  /** @param {number} place */
  bit(place) {
    this.next();
    const odds = this.odds[place], bound = (this.range >>> 11) * odds;
    if (this.code < bound) {
      this.range = bound;
      this.odds[place] = odds + (2048 - odds >> 5);
      return 0;
    }
    this.range -= bound;
    this.code -= bound;
    this.odds[place] = odds - (odds >> 5);
    return 1;
  }

  /** Bits that are as likely one as the other. @param {number} many */
  plain(many) {
    let value = 0;
    for (; many; many--) {
      this.next();
      this.range >>>= 1;
      const one = this.code >= this.range ? 1 : 0;
      if (one) this.code -= this.range;
      value = value * 2 + one;
    }
    return value;
  }

  /** @param {number} base @param {number} bits */
  tree(base, bits) {
    let value = 1;
    for (let n = 0; n < bits; n++) value = value << 1 | this.bit(base + value);
    return value - (1 << bits);
  }

  /** The lowest bit first. @param {number} base @param {number} bits */
  reverse(base, bits) {
    let value = 0, place = 1;
    for (let n = 0; n < bits; n++) {
      const one = this.bit(base + place);
      place = place << 1 | one;
      value |= one << n;
    }
    return value;
  }

  /** @param {number} base */
  length(base) {
    if (!this.bit(base)) return 2 + this.tree(base + 2, 3);
    if (!this.bit(base + 1)) return 10 + this.tree(base + 10, 3);
    return 18 + this.tree(base + 18, 8);
  }

  /** How far back a match of this length lies, less one. @param {number} length */
  distance(length) {
    const slot = this.tree(SLOTS + Math.min(length - 2, 3) * 64, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1, base = (2 | slot & 1) << bits;
    if (slot < 14) return base + this.reverse(SPECIAL + base - slot, bits);
    return base + this.plain(bits - 4) * 16 + this.reverse(ALIGN, 4);
  }

  /** @param {number} before @param {number} state @param {number} matched the byte that a match would have given */
  literal(before, state, matched) {
    const base = LITERALS + 0x300 * (before >> 5);
    let value = 1;
    if (state >= 7) do {
      const bit = matched >> 7 & 1;
      matched <<= 1;
      const one = this.bit(base + (1 + bit << 8) + value);
      value = value << 1 | one;
      if (bit !== one) break;
    } while (value < 0x100);
    while (value < 0x100) value = value << 1 | this.bit(base + value);
    return value & 0xff;
  }
}

/** @param {Uint8Array} bytes @param {number} size @returns {Uint8Array} */
function decoded(bytes, size) {
  const out = new Uint8Array(size), from = new Decoder(bytes);
  let at = 0, state = 0, far = [0, 0, 0, 0];
  while (at < size) {
    if (!from.bit(MATCH + state)) {
      out[at] = from.literal(at ? out[at - 1] : 0, state, at > far[0] ? out[at - far[0] - 1] : 0);
      at++;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length = 1;
    if (!from.bit(REP + state)) {
      length = from.length(LENGTHS);
      far = [from.distance(length), far[0], far[1], far[2]];
      state = state < 7 ? 7 : 10;
    } else {
      let which = 0;
      if (!from.bit(REP0 + state)) {
        if (!from.bit(LONG + state)) which = -1;
      } else which = !from.bit(REP1 + state) ? 1 : !from.bit(REP2 + state) ? 2 : 3;
      if (which > 0) far = [far[which], ...far.filter((_, place) => place !== which)];
      if (which === -1) state = state < 7 ? 9 : 11;
      else {
        length = from.length(REPEATS);
        state = state < 7 ? 8 : 11;
      }
    }
    for (; length && at < size; length--, at++) out[at] = out[at - far[0] - 1];
  }
  return out;
}
