// The study room without a server: puzzles, lessons, teaching. Moves are judged by the core; what a person has solved is
// kept in the library. The answers are those of tengen.web.study_routes.

import { specOptions } from "../networks.js";
import { Refused } from "../refused.js";
import { data } from "./assets.js";

const NEAR = 40, OWN = "own-puzzles";
const FAULTS = ["inaccuracy", "mistake", "blunder", "missed-win", "allowed-win"];
const NEW = { value: 1200, deviation: 350, volatility: 0.06 };
const SHOWN = ["id", "width", "height", "k", "rule", "black", "white", "turn", "kind", "rating", "themes", "attacks"];
const seconds = () => Date.now() / 1000;

export class StudyRoom {
  #puzzles = null;
  #progress = null;

  /** `ask(job)` runs a job in a worker; `engine` is the one on the page's thread; `library` keeps the progress;
   * `port` has the games; `levels` tell how hard a puzzle is, the strongest left out. */
  constructor(ask, engine, library, port, levels) {
    Object.assign(this, { ask, engine, library, port });
    this.panel = levels.slice(0, -1).map(({ elo, spec }) => ({ elo: elo ?? 0, player: spec.split(":")[0], options: specOptions(spec) }));
    this.routes = [
      ["GET", /^\/api\/study\/standing$/, () => this.standing()],
      ["GET", /^\/api\/study\/puzzles\/next$/, (match, body, query) => this.next(query)],
      ["GET", /^\/api\/study\/puzzles\/([\w-]+)$/, async ([, id]) => shown(await this.puzzle(id))],
      ["POST", /^\/api\/study\/puzzles\/([\w-]+)\/answer$/, ([, id], body) => this.answer(id, body)],
      ["POST", /^\/api\/study\/puzzles\/([\w-]+)\/give-up$/, ([, id]) => this.attempted(id, false, 0)],
      ["POST", /^\/api\/study\/puzzles\/([\w-]+)\/hint$/, ([, id], body) => this.hint(id, body)],
      ["GET", /^\/api\/study\/puzzles\/([\w-]+)\/solution$/, ([, id]) => this.solution(id)],
      ["POST", /^\/api\/study\/mistakes$/, (match, { game }) => this.fromMistakes(game)],
      ["GET", /^\/api\/study\/lessons$/, () => this.lessons()],
      ["POST", /^\/api\/study\/lessons\/([\w-]+)\/done$/, ([, id]) => this.finished(id)],
      ["POST", /^\/api\/study\/warning$/, (match, body) => this.warning(body)],
      ["POST", /^\/api\/study\/idea$/, async (match, body) => ({ idea: await this.ask({ kind: "idea", ...asked(body) }) })],
    ];
  }

  async all() {
    this.#puzzles ??= new Map([...await data("puzzles.json"), ...await this.own()].map((one) => [one.id, one]));
    return this.#puzzles;
  }

  async puzzle(id) {
    const found = (await this.all()).get(id);
    if (!found) throw new Refused(404, "there is no such puzzle");
    return found;
  }

  // Puzzles from a person's own mistakes

  async own() { return await this.library.kept(OWN) ?? []; }

  async fromMistakes(id) {
    const { game } = await this.port.room(id), known = await this.all(), own = await this.own(), before = own.length;
    for (const { parent, note } of [...game.nodes.values()].filter(({ note }) => FAULTS.includes(note?.verdict?.mark))) {
      const found = note && await this.ask({ kind: "mine", position: game.position(parent), panel: this.panel });
      const puzzle = found && { ...game.variant, ...found, own: true, id: idOf(game.variant, found) };
      if (!puzzle || known.has(puzzle.id)) continue;
      known.set(puzzle.id, puzzle);
      own.push(puzzle);
    }
    await this.library.keep(OWN, own);
    return { added: own.length - before, bad: [] };
  }

  // What comes next

  /** One that is due, else a new one about as hard as the person is strong, else the one tried longest ago. */
  async next(query) {
    const wish = Object.fromEntries(query), progress = await this.progress();
    const pool = [...(await this.all()).values()].filter((one) => one.id !== wish.avoid && (wish.source !== "own" || one.own)
      && (!wish.kind || one.kind === wish.kind) && (!wish.rule || one.rule === wish.rule));
    if (!pool.length) throw new Refused(404, "no puzzle is left that fits");
    const dueAt = (one) => progress.reviews[one.id]?.due ?? Infinity;
    const due = pool.filter((one) => dueAt(one) <= seconds()).sort((a, b) => dueAt(a) - dueAt(b));
    if (due.length) return shown(due[0]);
    const tried = new Map(progress.attempts.map(({ puzzle, at }) => [puzzle, at]));
    const far = (one) => Math.abs(one.rating - ratingOf(progress).value);
    const fresh = pool.filter((one) => !tried.has(one.id)).sort((a, b) => far(a) - far(b));
    if (fresh.length) return shown(fresh[Math.floor(Math.random() * Math.min(NEAR, fresh.length))]);
    return shown(pool.reduce((a, b) => (tried.get(b.id) < tried.get(a.id) ? b : a)));
  }

  // What was done

  async answer(id, { moves, hints = 0, counts = true }) {
    const puzzle = await this.puzzle(id), defence = puzzle.kind === "defence", move = moves.at(-1);
    const known = puzzle.solutions.includes(move) && (defence || moves.length === 1);
    const answer = await this.ask({ kind: "puzzle", position: positionOf(puzzle, moves.slice(0, -1)), move, known, defence });
    const ended = counts && answer.state !== "right";
    return { ...answer, standing: ended ? await this.attempted(id, answer.state === "solved", hints) : null };
  }

  /** Counts the first try of a showing. One with a hint counts as failed for the rating. */
  async attempted(id, solved, hints) {
    const puzzle = await this.puzzle(id), progress = await this.progress(), at = seconds(), clean = solved && !hints;
    const rating = this.engine.rate(ratingOf(progress), puzzle.rating, clean);
    const review = this.engine.repeat(progress.reviews[id] ?? null, clean, at);
    progress.attempts.push({ puzzle: id, at, solved, hints, rating });
    if (review) progress.reviews[id] = review;
    else delete progress.reviews[id];
    await this.library.keep("progress", progress);
    return this.standing();
  }

  async standing() {
    const { attempts, reviews, ...rest } = await this.progress();
    const clean = attempts.map(({ solved, hints }) => solved && !hints);
    const failed = clean.lastIndexOf(false), { value, deviation } = ratingOf({ attempts, ...rest });
    return { rating: value, deviation, streak: clean.length - 1 - failed, tried: clean.length, solved: clean.filter(Boolean).length,
      due: Object.values(reviews).filter(({ due }) => due <= seconds()).length,
      curve: attempts.slice(-500).map(({ at, rating }) => [at, rating.value]) };
  }

  async progress() {
    this.#progress ??= await this.library.kept("progress") ?? { attempts: [], reviews: {}, lessons: [] };
    return this.#progress;
  }

  // Hints

  async hint(id, { moves = [], step = "area" }) {
    const puzzle = await this.puzzle(id), defence = puzzle.kind === "defence", position = positionOf(puzzle, moves);
    const move = !moves.length || defence ? puzzle.solutions[0] : (await this.ask({ kind: "puzzleLine", position }))[0];
    if (move === undefined) throw new Refused(422, "the win is gone; start the puzzle again");
    if (step === "area") return { cells: around(puzzle, move), idea: "" };
    if (step === "idea") return { cells: [], idea: await this.ask({ kind: "idea", position, move, defence }) };
    return { cells: [move], idea: "" };
  }

  async solution(id) {
    const { solutions, line } = await this.puzzle(id);
    return { solutions, line };
  }

  async warning(body) {
    const win = await this.ask({ kind: "warning", ...asked(body) });
    return { by: win?.force ?? "", line: win?.line ?? [] };
  }

  // Lessons

  async lessons() {
    return { lessons: await data("lessons.json"), finished: (await this.progress()).lessons };
  }

  async finished(id) {
    const progress = await this.progress();
    progress.lessons = [...progress.lessons.filter((one) => one !== id), id];
    await this.library.keep("progress", progress);
    return null;
  }
}

const shown = (puzzle) => Object.fromEntries(SHOWN.map((key) => [key, puzzle[key]]));
/** The same for positions that are the same up to symmetry. */
function idOf({ width, height, k, rule }, { turn, kind, image }) {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (const letter of `${width} ${height} ${k} ${rule} ${turn} ${kind} ${image}`) {
    a = Math.imul(a ^ letter.charCodeAt(0), 0x01000193);
    b = Math.imul(b + letter.charCodeAt(0), 0x85ebca6b) ^ (b >>> 13);
  }
  return `own-${(a >>> 0).toString(16)}${(b >>> 0).toString(16)}`;
}

const ratingOf = ({ attempts }) => attempts.at(-1)?.rating ?? NEW;

function positionOf({ width, height, k, rule, black, white, turn }, moves) {
  return { variant: { width, height, k, rule }, setup: { black, white, turn }, moves };
}

function asked({ width, height, k, rule, setup = null, moves = [], move }) {
  return { position: { variant: { width, height, k, rule }, setup, moves }, move };
}

/** A block of 5x5 that holds the move somewhere, so that its middle does not give it away. */
function around({ width, height }, move) {
  const size = Math.min(5, width, height), row = Math.floor(move / width), col = move % width;
  const top = Math.min(Math.max(0, row - ((row * 7 + col * 3) % size)), height - size);
  const left = Math.min(Math.max(0, col - ((row * 3 + col * 5) % size)), width - size);
  return Array.from({ length: size * size }, (_, i) => (top + Math.floor(i / size)) * width + left + (i % size));
}
