import assert from "node:assert/strict";
import { test } from "node:test";
import { gameLink, isPlayable, movesText, parseLink } from "../../../src/tengen/web/static/js/share.js";
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

test("moves as text name their game unless it is 15x15 freestyle", () => {
  const text = (width, k, rule, moves = [0], setup = null) => movesText(session({ width, height: width, k, rule }, moves, setup));
  assert.equal(text(15, 5, "freestyle", [112, 98]), "h8i9");
  assert.equal(text(15, 5, "renju"), "15x15 renju a15");
  assert.equal(text(9, 4, "freestyle"), "9x9 k=4 a9");
  assert.equal(text(20, 5, "caro", []), "20x20 caro");
  assert.equal(text(15, 5, "freestyle", [0], { black: [1], white: [], turn: "white" }), null);
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

test("a board that nobody can play on is none", () => {
  const about = { sizes: { least: 3, most: 22 }, in_a_row: [3, 4, 5, 6], rules: ["freestyle", "renju"] };
  const can = (width, height, k, rule) => isPlayable({ width, height, k, rule }, about);
  assert.deepEqual([can(15, 15, 5, "renju"), can(22, 6, 6, "freestyle"), can(3, 3, 3, "freestyle")], [true, true, true]);
  assert.deepEqual([can(99, 15, 5, "renju"), can(4, 15, 5, "freestyle"), can(15, 15, 9, "freestyle"), can(15, 15, 4, "renju"),
    can(15, 15, 5, "chess")], [false, false, false, false, false]);
});
