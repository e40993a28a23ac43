// A study desk of the site with searches that answer what this program says: which jobs it starts, what it notes, as JSON.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// A folder that holds `static` (the page's sources) and `engine`.
const site = process.argv[2];
const load = (path) => import(pathToFileURL(`${site}/${path}`));
const { Engine } = await load("engine/tengen.js");
const { Rules } = await load("static/js/local/rules.js");
const { Game } = await load("static/js/local/game.js");
const { Desk } = await load("static/js/local/desk.js");
const { moves, proof, look, verdict } = JSON.parse(readFileSync(0, "utf8"));

const game = new Game(new Rules(await Engine.load(readFileSync(`${site}/engine/tengen.wasm`))), { id: "one" });
const last = moves.map((move) => game.play(move).id).at(-1);
const started = [], told = [];
const start = (job, on) => { started.push({ job, on }); return { stop() {} }; };
const seats = { resolve: () => ({ player: "alphabeta", options: {}, network: null }) };
const desk = new Desk({ game, tell: (event) => told.push(event), dirty() {} }, { searches: { start }, seats, hashMegabytes: 16 });
const latest = (kind) => started.findLast(({ job }) => job.kind === kind);

// A review sees nothing special, then live analysis proves the last position.
desk.review();
for (const ply of [moves.length - 1, moves.length]) latest("review").on.frame({ ply, sweep: 0, look, verdict });
latest("review").on.done(null);
const before = latest("review").job.known;
desk.analyse(["alphabeta"]);
latest("prove").on.done(proof);
const news = told.findLast(({ type }) => type === "notes").notes;
desk.review();
desk.retry(last, 0);
console.log(JSON.stringify({ before, known: latest("review").job.known, retried: latest("retry").job.before, last: news[last] }));
