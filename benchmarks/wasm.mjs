// Searches one position again and again, each time when a line comes in, and prints the processor time it took.
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, network] = process.argv.slice(2);
const { Engine } = await import(pathToFileURL(`${folder}/tengen.js`));
const engine = await Engine.load(readFileSync(`${folder}/tengen.wasm`));
engine.loadNetwork(readFileSync(network), { policyTemperature: 1.5 });

for await (const text of createInterface({ input: process.stdin })) {
  const { variant, moves, nodes, sims, network: withNetwork } = JSON.parse(text);
  engine.newBoard(variant);
  engine.play(...moves);
  engine.clear();
  const before = process.cpuUsage();
  const searched = sims ? engine.think({ sims, memoryMegabytes: 64 }) : engine.search({ nodes, seed: 1, hashMegabytes: 16, network: withNetwork });
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ done: searched.nodes, seconds: (user + system) / 1e6 }));
}
