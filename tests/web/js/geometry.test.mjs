import assert from "node:assert/strict";
import { test } from "node:test";
import { CELL, Geometry } from "../../../src/tengen/web/static/js/board/geometry.js";

test("a point leads back to its cell, also when it is a little off", () => {
  for (const coordinates of [true, false]) {
    const g = new Geometry(15, 9, coordinates);
    for (let cell = 0; cell < 15 * 9; cell++) {
      assert.equal(g.cellAt(g.x(cell), g.y(cell)), cell);
      assert.equal(g.cellAt(g.x(cell) + 0.45 * CELL, g.y(cell) - 0.45 * CELL), cell);
    }
  }
});

test("outside the grid there is no cell", () => {
  const g = new Geometry(9, 9, true);
  assert.equal(g.cellAt(g.x(0) - CELL, g.y(0)), null);
  assert.equal(g.cellAt(g.x(80) + CELL, g.y(80)), null);
});
