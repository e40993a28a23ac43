// The moves of a game with their variations.
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTree, ROOT } from "../../../src/tengen/web/static/js/tree.js";

const branched = () => new GameTree([[1, 0, 112, null], [2, 1, 97, null], [3, 1, 98, null], [4, 3, 113, null]]);

test("a path leads from the first move to a node", () => {
  assert.deepEqual(branched().path(4), [1, 3, 4]);
  assert.deepEqual(branched().moves(4), [112, 98, 113]);
  assert.deepEqual(branched().path(ROOT), []);
});

test("a line goes on along the newest branch", () => {
  assert.deepEqual(branched().line(1), [0, 1, 3, 4]);
  assert.deepEqual(branched().line(2), [0, 1, 2]);
});

test("a node that is sent again keeps its place and takes its new study", () => {
  const tree = branched();
  tree.add([3, 1, 98, { note: "better" }]);
  assert.deepEqual(tree.get(1).children, [2, 3]);
  assert.deepEqual(tree.get(3).study, { note: "better" });
});

test("removed nodes leave their parent", () => {
  const tree = branched();
  const version = tree.version;
  tree.remove([4, 3]);
  assert.deepEqual(tree.get(1).children, [2]);
  assert.equal(tree.get(3), undefined);
  assert.ok(tree.version > version);
});
