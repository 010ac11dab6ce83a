// Where there is still room: boxes of everything drawn so far, and the first spot of several that covers none of them.

class Room {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    /** @type {Box[]} */
    this.boxes = [];
  }

  /** @param {Box} box */
  take(box) { this.boxes.push(box); return box; }

  /** @param {Box} box */
  leave(box) { this.boxes.splice(this.boxes.indexOf(box), 1); }

  /** @param {Box} box */
  isFree([left, top, right, bottom]) {
    return left >= 2 && top >= 2 && right <= this.width - 2 && bottom <= this.height - 2
      && !this.boxes.some(one => left < one[2] && one[0] < right && top < one[3] && one[1] < bottom);
  }
}

/** @returns {Box} */
const centred = (x, y, w, h) => [x - w / 2, y - h / 2, x + w / 2, y + h / 2];

// East, west, below and above before the corners; near before far.
const ROUND = [0, 8, 4, 12, 1, 15, 7, 9, 2, 14, 6, 10, 3, 5, 11, 13]
  .map(turn => turn / 8 * Math.PI).map(turn => [Math.cos(turn), Math.sin(turn)]);

/** Boxes of this size around a point, the nearest first. @returns {Iterable<Box>} */
function* beside(x, y, w, h, gap, rings = 6, step = 8) {
  for (let ring = 0; ring < rings; ring++)
    for (const [dx, dy] of ROUND) {
      const reach = gap + ring * step;
      yield centred(x + dx * (reach + w / 2), y + dy * (reach + h / 2), w, h);
    }
}

/** The first of these boxes that is free, taken. @param {Room} room @param {Iterable<Box>} boxes */
function settled(room, boxes) {
  for (const box of boxes) if (room.isFree(box)) return room.take(box);
  return null;
}
