import assert from "node:assert/strict";
import { test } from "node:test";
import { gameLink, parseLink } from "../../../src/tengen/web/static/js/share.js";
import { GameTree } from "../../../src/tengen/web/static/js/tree.js";

globalThis.location = { href: "http://example.test/?token=secret#/play/1" };

const session = (settings, moves, setup = null) => {
  const rows = moves.map((move, i) => [i + 1, i, move, null]);
  return { settings, setup, tree: new GameTree(rows), cursor: moves.length };
};

test("a link holds the whole game", () => {
  const settings = { width: 15, height: 15, k: 5, rule: "renju" };
  const link = gameLink(session(settings, [112, 98, 0]));
  assert.equal(link, "http://example.test/#/open/15x15-5-renju/h8i9a15");
  const parts = link.split("#/open/")[1].split("/");
  assert.deepEqual(parseLink(parts), { settings, moves: [112, 98, 0], setup: null });
});

test("placed stones travel along", () => {
  const setup = { black: [0, 1], white: [5], turn: "white" };
  const link = gameLink(session({ width: 9, height: 12, k: 4, rule: "caro" }, [], setup));
  const game = parseLink(link.split("#/open/")[1].split("/"));
  assert.deepEqual(game.setup, setup);
  assert.deepEqual(game.moves, []);
  assert.equal(game.settings.height, 12);
});

test("a link that holds no game is none", () => {
  for (const parts of [[], ["15x15"], ["15x15-5-renju", "h8h99"], ["15x15-5-renju", "zz"], ["x-5-renju", "h8"],
    ["15x15-5-renju", "h8", "nonsense"]]) assert.equal(parseLink(parts), null);
});
