// Reads records given on standard input through the site's own reader and writes them again, one JSON line each.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// A folder that holds `static` (the page's sources) and `engine`.
const site = process.argv[2];
const load = (path) => import(pathToFileURL(`${site}/${path}`));
const { Engine } = await load("engine/tengen.js");
const { Rules } = await load("static/js/local/rules.js");
const { readRecord, writeRecord } = await load("static/js/local/records.js");
const rules = new Rules(await Engine.load(readFileSync(`${site}/engine/tengen.wasm`)));

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  try {
    const { game, cut } = readRecord(rules, "id", JSON.parse(line));
    const moves = [...game.nodes.values()].map(({ move, note }) => [move, note?.comment ?? ""]).sort();
    console.log(JSON.stringify({ variant: game.variant, main: game.position().moves, moves, cut, setup: game.setup, sgf: writeRecord(game, "sgf").text }));
  } catch (error) {
    console.log(JSON.stringify({ error: error.message }));
  }
}
