import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTree, ROOT } from "../../../src/tengen/web/static/js/tree.js";

const rows = [[0, -1, -1, null], [1, 0, 40, null], [2, 1, 41, null], [3, 1, 50, { comment: "x" }], [4, 3, 51, null]];

test("paths, lines and moves", () => {
  const tree = new GameTree(rows);
  assert.deepEqual(tree.path(4), [1, 3, 4]);
  assert.deepEqual(tree.moves(4), [40, 50, 51]);
  assert.deepEqual(tree.line(ROOT), [0, 1, 3, 4]); // along the newest branches
  assert.deepEqual(tree.line(2), [0, 1, 2]);
  assert.equal(tree.get(4).depth, 3);
});

test("a node that comes again keeps its place and takes the newer note", () => {
  const tree = new GameTree(rows);
  tree.add([3, 1, 50, null]);
  assert.deepEqual(tree.get(3).note, { comment: "x" });
  tree.add([3, 1, 50, { comment: "y" }]);
  assert.deepEqual(tree.get(3).note, { comment: "y" });
  assert.deepEqual(tree.get(1).children, [2, 3]);
});

test("what is removed is gone with its place", () => {
  const tree = new GameTree(rows);
  const before = tree.version;
  tree.remove([3, 4, 99]);
  assert.equal(tree.get(3), undefined);
  assert.deepEqual(tree.get(1).children, [2]);
  assert.ok(tree.version > before);
});
