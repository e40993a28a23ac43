// Prints the names the engine uses, a review, answers to puzzles and a rating, as JSON.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { Engine, FORCES, IDEAS, MARKS, STATES, THREAT, WHYS } = await import(pathToFileURL(`${folder}/tengen.js`));
const engine = await Engine.load(readFileSync(`${folder}/tengen.wasm`));
const { moves, puzzles, rating, network, known, tried } = JSON.parse(readFileSync(0, "utf8"));

engine.newBoard();
const review = (options) => [...engine.review(moves, { hashMegabytes: 16, ...options })].flat();
const findings = [review(), (engine.loadNetwork(readFileSync(network)), review({ network: true })), review({ network: true, known })];
engine.play(...moves.slice(0, 4));
const again = tried.map(({ move, before }) => engine.retry(move, before, { hashMegabytes: 16, network: true }));
const judged = tried.map(({ move, before }) => engine.judge(move, before, before));
const answers = puzzles.map(({ variant, black, white, turn, move, defence }) => {
  engine.newBoard({ ...variant, black, white, turn });
  const mined = engine.mine();
  return { mined, ...engine.answerPuzzle(move, { defence }), idea: engine.idea(move, { defence }) };
});
const rated = engine.rate(rating, 1400, true);
const repeated = engine.repeat({ step: 0, due: 5 }, true, 10);
const estimated = engine.estimate([{ elo: 1000, won: 3, drawn: 1, lost: 2 }, { elo: 1400.5, won: 1, drawn: 0, lost: 4 }]);
engine.newBoard();
engine.play(112);
const budgets = [[600, 0], [10, 0.5], [-1, 0]].map(([left, increment]) => engine.budget(left, increment));
const hard = engine.puzzleRating([[400, 0.25], [900, 0.5], [1500, 1]], { attacks: 4, choices: 8, solutions: 2 });
console.log(JSON.stringify({ hard, estimated, budgets, FORCES, IDEAS, MARKS, STATES, THREAT, WHYS, findings, again, judged, answers, rated, repeated }));
