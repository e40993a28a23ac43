// Plays the positions given on standard input through the WebAssembly engine and prints what it finds, one JSON line each.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { Engine } = await import(pathToFileURL(`${folder}/tengen.js`));
const engine = await Engine.load(readFileSync(`${folder}/tengen.wasm`));

for (const text of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { variant, moves, nodes, solve } = JSON.parse(text);
  engine.newBoard(variant);
  engine.play(...moves);
  const report = engine.search({ nodes, seed: 1, hashMegabytes: 1 });
  const found = engine.solve({ mode: solve, nodes: 5000 });
  const best = report.lines[0];
  console.log(JSON.stringify({
    move: best.move, nodes: report.nodes, depth: report.depth, pv: best.pv, value: best.value,
    found: found.found, solver: found.nodes, line: found.moves, forbidden: [...engine.forbidden().keys()].sort((a, b) => a - b),
  }));
}
