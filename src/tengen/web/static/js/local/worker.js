// A search of its own thread. It is told what to do in one message, answers with frames and a result, and is stopped by
// ending it.

import { Engine } from "../../../engine/tengen.js";

const ENDLESS_SECONDS = 24 * 3600;
const EFFORTS = [2_000, 20_000, 200_000, 2_000_000];
/** What a player does whose spec leaves it open, as the registry has it. */
const USUAL = { minimax: { depth: 3 }, mcts: { nodes: 1000 }, person: { nodes: 200 } };
const WARNING_NODES = 2_000;
const TREE_MEGABYTES = 64;
const MOST_MOVES = 60;
/** A level that errs as people do is asked this often how hard a puzzle is. */
const PERSON_TRIES = 8;
let engine = null, loaded = "";

self.onmessage = async ({ data: { id, module, job, network } }) => {
  try {
    engine ??= await Engine.load(module);
    if (network) useNetwork(job.network, network);
    self.postMessage({ id, result: JOBS[job.kind](job, (frame) => self.postMessage({ id, frame })) });
  } catch (error) {
    self.postMessage({ id, failed: String(error?.message ?? error) });
  }
};

const JOBS = { open, choose, analyse, prove, threats, review, retry, puzzle, puzzleLine, idea, warning, mine };

function setBoard({ variant, setup, moves }) {
  const stones = setup ? { black: setup.black, white: setup.white, turn: setup.turn === "white" ? 1 : 0 } : {};
  engine.newBoard({ ...variant, ...stones });
  engine.play(...moves);
}

function useNetwork({ file, policy_temperature: policyTemperature }, bytes) {
  if (file === loaded) return;
  engine.loadNetwork(bytes, { policyTemperature });
  loaded = file;
}

/** A move. The engine tells what it thinks of it, a simple player only plays. */
function choose({ position, player, options, network, seconds, seed, hashMegabytes }) {
  setBoard(position);
  const { hash_mb = hashMegabytes, ...set } = numbers(options);
  if (player === "alphabeta") return decision(engine.search({ ...set, seconds, seed, hashMegabytes: hash_mb, network: Boolean(network) }));
  if (player === "alphazero") return thought(engine.think({ ...set, seconds, memoryMegabytes: TREE_MEGABYTES }));
  const started = performance.now();
  const move = engine.choose(player, { ...USUAL[player], ...set, seed, seconds });
  return { move, value: null, pv: [], nodes: 0, depth: 0, seconds: (performance.now() - started) / 1000 };
}

// The swap2 opening as tengen.players.swap2 handles it; its quiet openings and its bounds are data.

/** A stone while stones are placed, a choice when a colour is to be picked. */
function open({ stage, position, seconds, swap2, ...job }) {
  const think = (moves, share) => choose({ ...job, position: { ...position, moves }, seconds: seconds * share }).value;
  if (stage.startsWith("choose")) {
    const value = think(position.moves, 1);
    return { choice: colorFor(stage === "choose" ? 3 : 5, value, swap2.level), value };
  }
  return { move: nextStone(position, think, swap2), value: null, pv: [], nodes: 0, depth: 0, seconds };
}

/** By the value for white. What is good for nobody is handed back with two more stones. */
function colorFor(stones, value, level) {
  if (value === null) return "black";
  if (stones === 3 && Math.abs(value) < level) return "more";
  return value > 0 ? "white" : "black";
}

function nextStone(position, think, { openings, tries }) {
  setBoard(position);
  const { moves, variant: { width, height } } = position;
  const fitting = openings.filter((steps) => steps.every(([row, col]) => row < height && col < width));
  const turned = fitting.flatMap((steps) => engine.symmetries().map((image) => steps.map(([row, col]) => image[row * width + col])));
  const known = turned.filter((opening) => moves.every((move, i) => opening[i] === move));
  if (moves.length < 3 && known.length) return drawn(known)[moves.length];
  const near = engine.near(2), choice = Array.from({ length: Math.min(tries, near.length) }, () => near.splice(Math.floor(Math.random() * near.length), 1)[0]);
  if (![2, 4].includes(moves.length)) return choice[0];
  const doubts = choice.map((move) => doubt([...moves, move], position, think, 1 / choice.length));
  return choice[doubts.indexOf(Math.min(...doubts))];
}

/** How far from level the position is; 2 for a game that is over. */
function doubt(moves, position, think, share) {
  setBoard({ ...position, moves });
  return engine.state().result ? 2 : Math.abs(think(moves, share) ?? 0);
}

const drawn = (list) => list[Math.floor(Math.random() * list.length)];

const thought = ({ lines: [{ move, pv }], ...rest }) => ({ move, pv, ...rest });

/** The options of a spec without its network; what counts playouts counts them as nodes. */
function numbers({ playouts, model, network, ...options }) {
  const all = playouts === undefined ? options : { ...options, nodes: playouts };
  return Object.fromEntries(Object.entries(all).map(([key, text]) => [key, Number(text)]));
}

function decision({ depth, nodes, seconds, lines: [best] }) {
  return { move: best.move, value: best.value, pv: best.pv, nodes, depth, seconds };
}

/** Frames until it is stopped. */
function analyse({ position, player, network, lines, hashMegabytes }, say) {
  setBoard(position);
  if (player === "alphazero") {
    const options = { sims: 0, seconds: ENDLESS_SECONDS, lines: MOST_MOVES, memoryMegabytes: TREE_MEGABYTES };
    return withPolicy(engine.think(options, (report) => say(withPolicy(report))));
  }
  return engine.search({ seconds: ENDLESS_SECONDS, lines, hashMegabytes, network: Boolean(network) }, say);
}

/** What a tree search thinks, with its visits as shares. */
function withPolicy(report) {
  const total = report.lines.reduce((sum, { visits }) => sum + visits, 0);
  const shares = report.lines.map(({ move, visits }) => [move, Math.round(1e4 * visits / Math.max(1, total)) / 1e4]);
  return { ...report, policy: Object.fromEntries(shares.filter(([, share]) => share >= 0.0005)) };
}

/** A proof for either side, searched for harder and harder; null when there is none in reach. */
function prove({ position }) {
  setBoard(position);
  for (const effort of EFFORTS) {
    const proof = engine.prove(effort);
    if (proof) return proof;
  }
  return null;
}

/** Forced wins of both sides: what the side to move has, and what it would face if it passed. */
function threats({ position, seconds }) {
  setBoard(position);
  const turn = engine.state().turn, deadline = performance.now() + 1000 * seconds;
  const found = { own: null, opponent: null };
  for (const effort of EFFORTS)
    for (const [name, side] of [["own", turn], ["opponent", 1 - turn]])
      if (performance.now() < deadline) found[name] ??= engine.win(effort, side);
  return found;
}

function review({ position, known, network, hashMegabytes }, say) {
  setBoard({ ...position, moves: [] });
  const options = { hashMegabytes, network: Boolean(network), known };
  for (const findings of engine.review(position.moves, options)) for (const finding of findings) say(finding);
  return null;
}

function retry({ position, move, before, network, hashMegabytes }) {
  setBoard(position);
  return engine.retry(move, before, { hashMegabytes, network: Boolean(network) });
}

function puzzle({ position, move, known, defence }) {
  setBoard(position);
  return engine.answerPuzzle(move, { known, defence });
}

function puzzleLine({ position }) {
  setBoard(position);
  return engine.puzzleLine();
}

function idea({ position, move, defence = false }) {
  setBoard(position);
  return engine.idea(move, { defence });
}

/** How the opponent wins by force after a move, if the move allows that and another one would not. */
function warning({ position, move }) {
  setBoard({ ...position, moves: [...position.moves, move] });
  const { turn, result } = engine.state();
  const win = result ? null : engine.win(WARNING_NODES, turn);
  if (!win) return null;
  engine.undo();
  return engine.prove(WARNING_NODES) ? null : win;
}

/** The puzzle in a position, as hard as the levels of `panel` find it; null when there is none. */
function mine({ position, panel }) {
  setBoard(position);
  const found = engine.mine();
  if (!found) return null;
  const { kind, choices, line, solutions, themes } = found, attacks = Math.ceil(line.length / 2);
  const finds = ({ player, options }, seed) => solutions.includes(choose({ position, player, options, seconds: 1, seed, hashMegabytes: 8 }).move);
  const shares = panel.map((level) => {
    const tries = level.player === "person" ? PERSON_TRIES : 1;
    return [level.elo, Array.from({ length: tries }, (_, seed) => finds(level, seed)).filter(Boolean).length / tries];
  });
  setBoard(position);
  const cells = engine.cells(), at = (color) => cells.flatMap((one, cell) => (one === color ? [cell] : []));
  const images = engine.symmetries().map((image) => image.map((cell) => (cells[cell] + 1) % 3).join(""));
  return { kind, solutions, line, themes, attacks, rating: engine.puzzleRating(shares, { attacks, choices, solutions: solutions.length }),
    black: at(0), white: at(1), turn: engine.state().turn ? "white" : "black", image: images.sort()[0] };
}
