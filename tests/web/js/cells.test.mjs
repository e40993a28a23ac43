import assert from "node:assert/strict";
import { test } from "node:test";
import { cellName, compact, parseCell, percent, starPoints } from "../../../src/tengen/web/static/js/cells.js";

test("cells are named from the bottom left and read back", () => {
  assert.equal(cellName(112, 15, 15), "h8");
  assert.equal(cellName(0, 15, 15), "a15");
  for (const [width, height] of [[15, 15], [9, 9], [22, 7], [7, 22]]) {
    for (let cell = 0; cell < width * height; cell++) assert.equal(parseCell(cellName(cell, width, height), width, height), cell);
  }
});

test("what is no cell of the board is refused", () => {
  for (const text of ["", "h", "8", "h16", "p1", "h0", "hh", "h8i9", "-1"]) assert.equal(parseCell(text, 15, 15), null);
  assert.equal(parseCell(" H8 ", 15, 15), 112);
});

test("star points lie inside and are symmetric", () => {
  for (const [width, height] of [[15, 15], [9, 9], [19, 19], [20, 20], [13, 9], [5, 5]]) {
    const points = starPoints(width, height).map(String);
    for (const [x, y] of starPoints(width, height)) {
      assert.ok(x > 0 && y > 0 && x < width - 1 && y < height - 1);
      assert.ok(points.includes(String([width - 1 - x, height - 1 - y])));
    }
  }
  assert.equal(starPoints(15, 15).length, 5);
  assert.equal(starPoints(20, 20).length, 4);
});

test("numbers for people", () => {
  assert.deepEqual([-1, 0, 0.5, 1].map(percent), ["0%", "50%", "75%", "100%"]);
  assert.deepEqual([-0.995, 0.99, 0.995].map(percent), ["1%", "99%", "99%"], "a claim is never certain");
  assert.deepEqual([7, 999, 1500, 25_000, 3_400_000].map(compact), ["7", "999", "1.5k", "25k", "3.4M"]);
});
