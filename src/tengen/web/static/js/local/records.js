// Games to and from the files of other programs, without a server: SGF, piskvork's psq and position text.

import { cellName, parseCell } from "../cells.js";
import { Game, ROOT } from "./game.js";
import { formatSgf, parseSgf } from "./sgf.js";

const RULES = ["freestyle", "standard", "renju", "caro"];
const MAX_COMMENT = 2000;

/** The game of a text, its moves checked against the rule; `cut` says that moves after its end were left out. */
export function readRecord(rules, id, { text, ...shape }) {
  const start = text.replace(/^[\ufeff \t\r\n]+/, "");
  const record = start.startsWith("(") ? parseSgf(start) : start.slice(0, 9).toLowerCase() === "piskvorky" ? parsePsq(start, shape.rule)
    : parseText(start, shape);
  const game = new Game(rules, { id, settings: record.variant, setup: record.setup ?? null });
  game.names = record.names ?? { black: "", white: "" };
  const cut = plant(game, record.root);
  game.cursor = ROOT;
  while (!game.atTip) game.cursor = game.nodes.get(game.cursor).children[0];
  for (const node of game.nodes.values()) node.children.reverse();  // redo follows the last child: the main line
  return { game, cut };
}

/** Adds the nodes of a record. Some files go on after five: the game ends there. */
function plant(game, root) {
  let cut = false;
  keepNote(game, ROOT, root);
  const stack = [[root, ROOT]];
  while (stack.length) {
    const [node, id] = stack.pop();
    game.cursor = id;
    if (game.outcome()) {
      cut ||= node.children.length > 0;
      continue;
    }
    for (const child of node.children) {
      game.cursor = id;
      if (child.color && child.color !== game.turn) throw new Error("the record must place one stone per move, colours in turn");
      const added = game.play(child.move).id;
      keepNote(game, added, child);
      stack.push([child, added]);
    }
  }
  return cut;
}

function keepNote(game, id, { comment, value, look }) {
  const turn = game.turnAt(id) === "black" ? 0 : 1;
  if (comment) game.note(id, { comment: comment.slice(0, MAX_COMMENT) });
  if (value !== undefined) game.note(id, { value: { number: value, side: 0 } });
  if (look) game.note(id, { look: { value: { number: look.value, side: turn }, best: look.best, line: look.line, proof: null } });
}

function chain(moves) {
  const root = { children: [] };
  moves.reduce((node, move) => {
    const next = { move, children: [] };
    node.children.push(next);
    return next;
  }, root);
  return root;
}

/** What the words in front of the cells name: size, length and rule, each once; and what follows them. */
function leadingWords(text) {
  const named = {};
  let rest = text;
  for (let match; (match = /^\s*(\d{1,2}x\d{1,2}|k=\d{1,2}|[a-z]+)(?=\s|$)/i.exec(rest)); rest = rest.slice(match[0].length)) {
    const found = variantPart(match[1].toLowerCase());
    if (!found) break;
    const [key] = Object.keys(found), words = text.slice(0, text.length - rest.length + match[0].length).trim();
    if (key in named) throw new Error(`'${words}' says ${key} twice; write it as in 15x15 k=5 renju`);
    Object.assign(named, found);
  }
  return { named, rest };
}

function variantPart(word) {
  const size = /^(\d+)x(\d+)$/.exec(word);
  if (size) return { width: Number(size[1]), height: Number(size[2]) };
  if (word.startsWith("k=")) return { k: Number(word.slice(2)) };
  return RULES.includes(word) ? { rule: word } : null;
}

/** `h8i9j7` on the board and by the rule on show; or with words in front that name another game, `20x20 renju h8`. */
function parseText(text, shape) {
  const { named, rest } = leadingWords(text);
  const variant = /^[A-Za-z]\d/.test(text) ? { ...shape } : { width: 15, height: 15, k: 5, rule: "freestyle", ...named };
  if (named.rule === "renju" && variant.k !== 5) throw new Error(`renju is played with k = 5, not ${variant.k}`);
  const compact = rest.replace(/[\s,;]+/g, ""), cells = compact.match(/[a-z]\d{1,2}/gi) ?? [];
  if (cells.join("") !== compact) throw new Error(`'${rest.slice(0, 60)}' is not a list of cells such as h8i9`);
  const moves = cells.map((name) => placed(name, variant));
  const twice = moves.findIndex((move, i) => moves.indexOf(move) < i);
  if (twice >= 0) throw new Error(`'${cells[twice]}' is given twice`);
  return { variant, root: chain(moves) };
}

function placed(name, { width, height }) {
  const move = parseCell(name, width, height);
  if (move === null) throw new Error(`'${name}' is off the board; cells go from a1 to ${cellName(width - 1, width, height)}`);
  return move;
}

function parsePsq(text, rule) {
  const lines = text.split(/\r?\n/), header = /^piskvorky\s+(\d{1,3})\s*x\s*(\d{1,3})/i.exec(lines[0]);
  if (!header) throw new Error("psq, line 1: expected a header such as 'Piskvorky 15x15, 11:11, 0'");
  const [width, height] = [Number(header[1]), Number(header[2])], moves = [];
  let at = 1;
  for (let match; (match = /^\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})(?:\s*,\s*-?\d{1,12})?\s*$/.exec(lines[at] ?? "")); at++) {
    const [x, y] = [Number(match[1]) - 1, Number(match[2]) - 1];
    if (x < 0 || y < 0 || x >= width || y >= height) throw new Error(`psq, line ${at + 1}: ${lines[at].trim()} is off the ${width}x${height} board`);
    if (moves.includes(y * width + x)) throw new Error(`psq, line ${at + 1}: ${lines[at].trim()} is occupied already`);
    moves.push(y * width + x);
  }
  const [black = "", white = ""] = lines.slice(at).map((line) => line.trim())
    .filter((line) => line && !/^-?\d+$/.test(line) && !/^[0-2]\s*,\s*\w+$/.test(line));
  const ending = lines.slice(at).map((line) => /^[0-2]\s*,\s*(\w+)$/.exec(line.trim())?.[1].toLowerCase());
  const named = ending.find((word) => RULES.includes(word)) ?? rule;
  return { variant: { width, height, k: 5, rule: named }, names: { black, white }, root: chain(moves) };
}

// Writing

/** { name, text } of a file. SGF holds the whole tree with analysis, the others the line on show. */
export function writeRecord(game, format) {
  const day = new Date(1000 * game.created).toISOString().slice(0, 10);
  const names = Object.fromEntries(["black", "white"].map((color) => [color, nameOf(game, color)]));
  const stem = [day, ...["black", "white"].map((color) => plain(names[color]) || color)].join("-");
  if (format === "sgf") return { name: `${stem}.sgf`, text: formatSgf(game, { names, result: resultOf(game), day }) };
  if (game.setup) throw new Error(`${format === "psq" ? "psq files hold" : "position text holds"} games from the empty board; this one has stones set up`);
  if (format === "psq") return { name: `${stem}.psq`, text: formatPsq(game, names) };
  return { name: `${stem}.txt`, text: formatText(game) };
}

const nameOf = (game, color) => (game.settings[color] === "human" && game.names[color] ? game.names[color] : game.settings[color]);
const plain = (name) => name.replace(/^level:/, "").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 24).toLowerCase();

function resultOf(game) {
  const outcome = game.outcome();
  if (!outcome) return "";
  return outcome.winner ? `${outcome.winner[0].toUpperCase()}+${{ resign: "R", time: "T" }[outcome.termination] ?? ""}` : "0";
}

function formatPsq(game, names) {
  const { width, height, k, rule } = game.variant;
  if (k !== 5) throw new Error(`psq files hold games of five in a row, not ${k}`);
  const moves = game.position().moves.map((move) => `${(move % width) + 1},${Math.floor(move / width) + 1},0`);
  const winner = { B: "1", W: "2", 0: "0" }[resultOf(game)[0]];
  const ending = winner ? [`${winner},${rule[0].toUpperCase()}${rule.slice(1)}`] : [];
  return [`Piskvorky ${width}x${height}, 11:11, 0`, ...moves, names.black, names.white, "-1", ...ending].join("\n") + "\n";
}

function formatText(game) {
  const { width, height, k, rule } = game.variant;
  const words = [`${width}x${height}`, ...(k === 5 ? [] : [`k=${k}`]), ...(rule === "freestyle" ? [] : [rule])];
  const head = words.join(" ") === "15x15" ? "" : `${words.join(" ")} `;
  return head + game.position().moves.map((move) => cellName(move, width, height)).join("") + "\n";
}
