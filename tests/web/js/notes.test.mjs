import assert from "node:assert/strict";
import { test } from "node:test";
import { accuracy, carriedBack, carriedOn, forBlack, isFault, turningPoint, valueOf } from "../../../src/tengen/web/static/js/notes.js";

const node = (mark, drop = 0) => ({ note: { verdict: { mark, drop } } });

test("a value is turned to black's view, whoever it was for", () => {
  assert.equal(forBlack(valueOf(0.3, "black")), 0.3);
  assert.equal(forBlack(valueOf(0.3, "white")), -0.3);
  assert.equal(forBlack(undefined), undefined);
});

test("faults are what a player could have done better", () => {
  for (const mark of ["best", "good", "lost", undefined]) assert.equal(isFault(mark), false);
  for (const mark of ["inaccuracy", "blunder", "missed-win", "allowed-win"]) assert.equal(isFault(mark), true);
});

test("accuracy falls with what moves cost", () => {
  const best = node("best");
  assert.equal(accuracy([]), null);
  assert.ok(Math.abs(accuracy([best, best]) - 100) < 0.01);
  assert.ok(accuracy([best, node("mistake", 0.4)]) < 90 && accuracy([node("allowed-win", 2)]) < 1);
});

test("accuracy leaves out what no move could change, and no gross fault is free", () => {
  const lost = node("lost"), best = node("best");
  assert.equal(accuracy([lost, lost]), null);
  assert.equal(accuracy([best, node("mistake", 0.4), lost, lost]), accuracy([best, node("mistake", 0.4)]));
  for (const mark of ["blunder", "missed-win", "allowed-win"]) assert.ok(accuracy([node(mark, 0.05)]) < 35, mark);
  assert.ok(accuracy([node("blunder", 0.9)]) < accuracy([node("blunder", 0.5)]));
});

test("the turning point is the last fault that turned the game, else the last win given away, else the most costly one", () => {
  const [good, small, large, given] = [node("good"), node("inaccuracy", 0.2), node("blunder", 0.9), node("allowed-win", 0.1)];
  const of = (...moves) => turningPoint(moves.map(([at, before = 0.9, after = 0.8]) => ({ node: at, before, after })));
  assert.equal(of([good]), null);
  assert.equal(of([small], [large], [good]), large);
  assert.equal(of([large], [given], [small]), given);
  assert.equal(of([large, 0.2, -0.6], [given, -0.9, -1]), large);
  assert.equal(of([large, 0.2, -0.6], [given, -0.3, -1]), given);
});

test("a proof goes on along its line and back to the position before", () => {
  const win = { winner: 0, line: [7, 8, 9], force: "vcf", moves: 2 };
  const after = { winner: 0, line: [8, 9], force: "vcf", moves: 1 };
  assert.deepEqual(carriedOn(win, 7, 0), after);
  assert.equal(carriedOn(win, 6, 0), null);
  assert.deepEqual(carriedOn(after, 8, 1), { winner: 0, line: [9], force: "five", moves: 1 });
  assert.deepEqual(carriedBack(after, 7, 0), { ...win, force: "vct" });
  assert.equal(carriedBack(after, 7, 1), null);
});
