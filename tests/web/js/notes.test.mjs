import assert from "node:assert/strict";
import { test } from "node:test";
import { accuracy, forBlack, isFault, turningPoint, valueOf } from "../../../src/tengen/web/static/js/notes.js";

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
  assert.equal(accuracy([]), null);
  assert.ok(Math.abs(accuracy([0, 0]) - 100) < 0.01);
  assert.ok(accuracy([0, 0.4]) < 90 && accuracy([2]) < 1);
});

test("the turning point is the last win given away, else the most costly fault", () => {
  const [good, small, large, given] = [node("good"), node("inaccuracy", 0.2), node("blunder", 0.9), node("allowed-win", 0.1)];
  assert.equal(turningPoint([good]), null);
  assert.equal(turningPoint([small, large, good]), large);
  assert.equal(turningPoint([large, given, small]), given);
});
