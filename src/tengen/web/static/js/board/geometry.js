// Where things are on a board drawn in its own units: one cell is 40 wide.

export const CELL = 40;
export const STONE = 18.6;

export class Geometry {
  constructor(width, height, coordinates) {
    Object.assign(this, { width, height });
    this.margin = coordinates ? 46 : 30;
    this.totalWidth = (width - 1) * CELL + 2 * this.margin;
    this.totalHeight = (height - 1) * CELL + 2 * this.margin;
  }

  x(cell) {
    return this.margin + (cell % this.width) * CELL;
  }

  y(cell) {
    return this.margin + Math.floor(cell / this.width) * CELL;
  }

  /** The cell nearest to a point in board units, or null outside the grid. */
  cellAt(x, y) {
    const col = Math.round((x - this.margin) / CELL);
    const row = Math.round((y - this.margin) / CELL);
    const inside = col >= 0 && col < this.width && row >= 0 && row < this.height;
    return inside ? row * this.width + col : null;
  }
}
