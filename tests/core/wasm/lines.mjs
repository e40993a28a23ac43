// Searches the positions given on standard input with line networks and prints what it finds, one JSON line each.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { Engine } = await import(pathToFileURL(`${folder}/tengen.js`));
const engine = await Engine.load(readFileSync(`${folder}/tengen.wasm`));
let loaded = "";

for (const text of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { variant, moves, network, sims } = JSON.parse(text);
  if (network !== loaded) engine.loadNetwork(readFileSync(network), { policyTemperature: 1.5 });
  loaded = network;
  engine.newBoard(variant);
  engine.play(...moves);
  const { depth, nodes, value, lines } = engine.think({ sims, lines: 500, memoryMegabytes: 8 });
  const searched = engine.search({ nodes: sims, seed: 1, hashMegabytes: 1, network: true });
  console.log(JSON.stringify({
    depth, nodes, value, lines: lines.map((one) => [one.move, one.visits, one.value, one.prior, one.pv]),
    searched: [searched.nodes, searched.depth, searched.lines[0].pv],
  }));
}
