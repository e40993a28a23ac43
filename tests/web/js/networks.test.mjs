import assert from "node:assert/strict";
import { test } from "node:test";
import { misfit, specOptions, withOption } from "../../../src/tengen/web/static/js/networks.js";

const nine = { width: 9, height: 9, k: 5, rule: "freestyle", size_free: false };

test("a network plays what it was made for", () => {
  assert.equal(misfit(nine, nine), "");
  assert.equal(misfit(nine, { ...nine, width: 15 }), "size");
  assert.equal(misfit({ ...nine, size_free: true }, { ...nine, width: 15, height: 20 }), "");
  assert.equal(misfit(nine, { ...nine, k: 4 }), "k");
  assert.equal(misfit(nine, { ...nine, rule: "renju" }), "rule");
});

test("options of a spec are read and set", () => {
  assert.deepEqual(specOptions("alphazero:model=tengen,sims=400"), { model: "tengen", sims: "400" });
  assert.deepEqual(specOptions("greedy"), {});
  assert.equal(withOption("alphazero", "model", "base-9"), "alphazero:model=base-9");
  assert.equal(withOption("alphazero:model=x,sims=4", "model", "y"), "alphazero:model=y,sims=4");
});
