// Positions up to symmetry, as one number each, as tengen.study.positions has them: what the openings are looked up by.
// The numbers of the cells and the symmetries are data of the site.

const least = (numbers) => numbers.reduce((a, b) => (b < a ? b : a));

export class Positions {
  /** `images`: the cells under each symmetry; `numbers`: one per colour and cell; `start`: the empty board's. */
  constructor(images, numbers, start) {
    Object.assign(this, { images, numbers, start, cells: images[0].length });
  }

  /** The key of every position on the way in every orientation: [moves + 1][symmetries]. */
  #orientations(moves) {
    const seen = [this.images.map(() => this.start)];
    moves.forEach((move, ply) => seen.push(seen[ply].map((key, s) => key ^ this.#number(s, ply, move))));
    return seen;
  }

  #number(symmetry, ply, cell) { return this.numbers[(ply % 2) * this.cells + this.images[symmetry][cell]]; }

  key(moves) { return least(this.#orientations(moves).at(-1)); }

  /** [key, move in the standard orientation] of every move, from the empty board on. */
  path(moves) {
    const seen = this.#orientations(moves);
    return moves.map((move, ply) => {
      const key = least(seen[ply]);
      return [key, Math.min(...this.images.flatMap((image, s) => (seen[ply][s] === key ? [image[move]] : [])))];
    });
  }

  /** The key after every cell would have been played. */
  next(moves) {
    const here = this.#orientations(moves).at(-1);
    return Array.from({ length: this.cells }, (_, cell) => least(here.map((key, s) => key ^ this.#number(s, moves.length, cell))));
  }

  /** A cell of the standard orientation as a cell of the position that `moves` lead to. */
  fromStandard(moves, cell) {
    const here = this.#orientations(moves).at(-1);
    return this.images[here.indexOf(least(here))].indexOf(cell);
  }
}

/** Columns of numbers in one file: a length, a header in JSON, the columns, each on a multiple of eight bytes. */
export function readColumns(buffer) {
  const length = new DataView(buffer).getUint32(0, true), aligned = (at) => Math.ceil(at / 8) * 8;
  const { columns, ...rest } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const kinds = { i8: BigInt64Array, i4: Int32Array, i2: Int16Array, u2: Uint16Array, i1: Int8Array };
  let at = aligned(4 + length);
  for (const [name, kind, count] of columns) {
    rest[name] = new kinds[kind](buffer, at, count);
    at = aligned(at + rest[name].byteLength);
  }
  return rest;
}

/** The first row of a sorted column that is not below `key`. */
export function lowerBound(column, key) {
  let low = 0, high = column.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
