// Names of cells, as a player writes them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellName, compact, parseCell, percent, starPoints } from "../../../src/tengen/web/static/js/cells.js";

test("a name is a letter from the left and a number from the bottom", () => {
  assert.equal(cellName(0, 15, 15), "a15");
  assert.equal(cellName(112, 15, 15), "h8");
  assert.equal(cellName(9 * 5 - 1, 9, 5), "i1");
});

test("every cell's name leads back to it, on rectangles too", () => {
  for (const [width, height] of [[15, 15], [22, 22], [9, 5], [3, 20]]) {
    for (let cell = 0; cell < width * height; cell++) {
      assert.equal(parseCell(cellName(cell, width, height).toUpperCase(), width, height), cell);
    }
  }
});

test("what is no cell of the board is refused", () => {
  for (const text of ["", "h", "8", "p1", "a0", "a16", "h8h8", "hh8", "h 8"]) assert.equal(parseCell(text, 15, 15), null);
});

test("star points lie on the board and mirror each other", () => {
  for (const [width, height] of [[15, 15], [20, 20], [9, 9], [13, 9], [6, 6], [5, 5]]) {
    const points = starPoints(width, height).map(String);
    for (const [x, y] of starPoints(width, height)) assert.ok(points.includes(String([width - 1 - x, height - 1 - y])));
  }
  assert.equal(starPoints(15, 15).length, 5);
  assert.deepEqual(starPoints(6, 6), []);
});

test("values and counts are short", () => {
  assert.deepEqual([-1, 0, 0.5, 1].map(percent), ["0%", "50%", "75%", "100%"]);
  assert.deepEqual([999, 1234, 56_789, 2_500_000].map(compact), ["999", "1.2k", "57k", "2.5M"]);
});
