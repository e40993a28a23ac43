// Asks the site's explorer for the positions given on standard input, one JSON line each.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// A folder that holds `static` (the page's sources) and `engine`; the folder of the site's data.
const [sources, folder] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(`${sources}/${path}`));
const { Engine } = await load("engine/tengen.js");
const { Rules } = await load("static/js/local/rules.js");
const { Explorer } = await load("static/js/local/explorer.js");
const { readColumns } = await load("static/js/local/positions.js");
const columns = (name) => { const { buffer, byteOffset, byteLength } = readFileSync(`${folder}/${name}`); return readColumns(buffer.slice(byteOffset, byteOffset + byteLength)); };

const [played, ...asked] = readFileSync(0, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
const rules = new Rules(await Engine.load(readFileSync(`${sources}/engine/tengen.wasm`)));
const explorer = new Explorer(rules, { entries: async () => played }, null);
const [book, matches] = [columns("book.bin"), columns("matches.bin")];
Object.assign(explorer, { book: async () => book, matches: async () => matches });
for (const request of asked) console.log(JSON.stringify(await explorer.explore(request)));
