// The library without a server: the games the browser keeps, searched, tagged, imported and exported. The answers are
// those of tengen.web.library_routes.

import { Refused } from "../refused.js";
import { Game, ROOT } from "./game.js";
import { readRecord, writeRecord } from "./records.js";
import { COLORS } from "./rules.js";
import { HUMAN } from "./seats.js";

const PAGE = 50, FEWEST_MOVES = 5, LEVEL = "level:", NOTES = "annotations";
const RESULTS = {
  won: (one) => COLORS.some((color) => one[color] === HUMAN && one.winner === color),
  lost: (one) => COLORS.some((color, i) => one[color] === HUMAN && one.winner === COLORS[1 - i]),
  draw: ({ winner }) => winner === "draw",
  open: ({ winner }) => !winner,
  black: ({ winner }) => winner === "black",
  white: ({ winner }) => winner === "white",
};

export class Shelf {
  #known = new Map();

  /** `port` has rooms of games that are open; `library` keeps the others; `engine` rates; `about` has the levels. */
  constructor(port, library, engine, about) {
    Object.assign(this, { port, library, engine, about });
    this.routes = [
      ["GET", /^\/api\/library$/, (match, body, query) => this.find(query)],
      ["GET", /^\/api\/library\/results$/, () => this.results()],
      ["GET", /^\/api\/library\/export$/, () => this.collection()],
      ["POST", /^\/api\/library\/import$/, (match, body) => this.takeIn(body)],
      ["POST", /^\/api\/library\/([\w-]+)\/note$/, ([, id], body) => this.annotate(id, body)],
      ["POST", /^\/api\/library\/([\w-]+)\/open$/, async ([, id]) => ({ id: (await port.room(id)).game.id })],
      ["DELETE", /^\/api\/library\/([\w-]+)$/, ([, id]) => port.forget(id)],
    ];
  }

  /** Every game worth keeping, newest first. One that cannot be read any more is left alone and left out. */
  async entries() {
    const stored = await this.library.all(), notes = await this.#notes();
    const found = stored.map((one) => this.#entry(one)).filter(Boolean);
    return found.map((one) => ({ ...one, tags: [], note: "", ...notes[one.id] })).sort((a, b) => b.played - a.played);
  }

  #entry(stored) {
    const known = this.#known.get(stored.id);
    if (known?.touched === stored.touched) return known.entry;
    const entry = this.#read(stored);
    this.#known.set(stored.id, { touched: stored.touched, entry });
    return entry;
  }

  #read(stored) {
    try {
      return entryOf(Game.restored(this.port.rules, stored));
    } catch {
      return null;
    }
  }

  async #notes() { return await this.library.kept(NOTES) ?? {}; }

  async find(query) {
    const { player = "", result = "", opening = "", tag = "", source = "", since = 0, until = 0, offset = 0 } = Object.fromEntries(query);
    if (result && !(result in RESULTS)) throw new Refused(422, `unknown result '${result}'; choose one of ${Object.keys(RESULTS).join(", ")}`);
    const named = await Promise.all((await this.entries()).map(async (one) => ({ ...one, opening: await this.#opening(one) })));
    const fits = (one) => (!player || COLORS.some((color) => one[color].toLowerCase().includes(player.toLowerCase())))
      && (!result || RESULTS[result](one)) && (!opening || one.opening === opening) && (!source || one.source === source)
      && (!tag || one.tags.includes(tag)) && one.played >= Number(since) && (!Number(until) || one.played < Number(until));
    const found = named.filter(fits);
    return { total: found.length, damaged: "", games: found.slice(Number(offset), Number(offset) + PAGE).map(row) };
  }

  async #opening({ variant, setup, moves }) {
    return setup ? "" : (await this.port.explorer.opening(variant, moves))?.code ?? "";
  }

  async results() {
    const scores = new Map(), rated = new Map();
    for (const one of await this.entries()) {
      const color = COLORS.find((side, i) => one[side] === HUMAN && one[COLORS[1 - i]].startsWith(LEVEL));
      if (!color || one.helped || one.setup || !one.winner) continue;
      const level = one[color === "black" ? "white" : "black"].slice(LEVEL.length), variant = variantText(one.variant);
      const how = one.winner === "draw" ? "drawn" : one.winner === color ? "won" : "lost";
      add(scores, `${variant} ${level}`, { variant, level }, how);
      const elo = this.#measured(one.variant, level);
      if (elo !== null) add(rated, elo, { elo }, how);
    }
    const levels = [...scores].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, score]) => score);
    return { levels, elo: this.engine.estimate([...rated.values()]) };
  }

  /** The rating of a level where it was measured: on square freestyle boards with five in a row. */
  #measured({ width, height, k, rule }, name) {
    if (width !== height || k !== 5 || rule !== "freestyle") return null;
    return this.about.levels[width]?.find((level) => level.name === name)?.elo ?? null;
  }

  /** All games as one SGF collection. */
  async collection() {
    const entries = await this.entries();
    return entries.map(({ game }) => writeRecord(game, "sgf").text).join("");
  }

  async takeIn({ files }) {
    const { split } = await import("../study/library.js"), seen = new Set((await this.entries()).map(print));
    const sum = { new: 0, doubles: 0, bad: [] };
    for (const { name, text } of files)
      for (const [number, part] of split(text, 1).entries()) {
        if (!part.trim()) continue;
        try {
          sum[await this.#take(part, seen) ? "new" : "doubles"] += 1;
        } catch (error) {
          sum.bad.push(`${name}, game ${number + 1}: ${error.message}`);
        }
      }
    return sum;
  }

  /** Keeps the game of a text unless it is there already. */
  async #take(text, seen) {
    const { game } = readRecord(this.port.rules, this.port.newId(), { text, width: 15, height: 15, k: 5, rule: "freestyle" });
    if (game.cursor === ROOT) throw new Error("there are no moves");
    game.source = "import";
    const entry = entryOf(game);
    if (seen.has(print(entry))) return false;
    seen.add(print(entry));
    await this.library.write(structuredClone(game.stored()));
    return true;
  }

  async annotate(id, { tags = "", note = "" }) {
    if (!(await this.library.read(id))) throw new Refused(404, "there is no such game in the library");
    const words = [...new Set(tags.split(/\s+/).filter(Boolean))];
    await this.library.keep(NOTES, { ...await this.#notes(), [id]: { tags: words, note } });
    return null;
  }
}

/** A game as the library shows it: the line played last, to its end. Null for what is no game of a person's. */
function entryOf(game) {
  const { settings, names, setup, variant, id, helped } = game, imported = game.source ?? (names.black || names.white ? "import" : "play");
  while (!game.atTip) game.cursor = game.nodes.get(game.cursor).children.at(-1);
  const { moves } = game.position(), people = COLORS.filter((color) => settings[color] === HUMAN).length;
  if (!moves.length || !people || (imported === "play" && people === 2 && moves.length < FEWEST_MOVES)) return null;
  const [black, white] = COLORS.map((color) => (settings[color] === HUMAN && names[color] ? names[color] : settings[color]));
  const outcome = game.outcome(), winner = outcome ? outcome.winner ?? "draw" : "";
  return { id, game, variant, setup, moves, black, white, winner, played: game.created, source: imported, helped: helped > 0 };
}

const print = ({ variant, setup, moves, black, white }) => JSON.stringify([variantText(variant), setup, moves, black, white]);

function row({ game, setup, moves, variant, ...rest }) {
  return { ...rest, variant: variantText(variant), moves: moves.length };
}

function variantText({ width, height, k, rule }) {
  return `${width}x${height}${k === 5 ? "" : ` k=${k}`} ${rule}`;
}

function add(sums, key, start, how) {
  const sum = sums.get(key) ?? sums.set(key, { ...start, won: 0, drawn: 0, lost: 0 }).get(key);
  sum[how] += 1;
}
