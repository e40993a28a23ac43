// SGF for Gomoku and Renju (GM[4]) as tengen.formats.sgf has it: variations, comments, and analysis inside.

import { parseCell } from "../cells.js";

const TOKEN = /\s*(?:([();])|([A-Za-z]+)\s*((?:\[(?:\\.|[^\]\\])*\]\s*)+))/sy;
const VALUE = /\[((?:\\.|[^\]\\])*)\]/gs;
const RULES = ["freestyle", "standard", "renju", "caro"];

/** The first game: { variant, setup, names, root }; nodes are { move, color, comment, value, look, children }. */
export function parseSgf(text) {
  const [raw] = collection(text.replace(/^\ufeff/, ""));
  if (!raw) throw new Error("SGF: there is no game; a game starts with (;GM[4]");
  const game = header(raw.properties);
  grow(game, game.root, raw);
  return game;
}

function collection(text) {
  const top = { properties: {}, children: [] }, branches = [];
  let here = top;
  for (const [mark, key, values] of tokens(text)) {
    if (mark === "(") branches.push(here);
    else if (mark === ")") {
      if (!branches.length) throw new Error("SGF: a ')' closes nothing");
      here = branches.pop();
    } else if (mark === ";") {
      if (!branches.length) throw new Error("SGF: a node stands outside of '(...)'");
      const child = { properties: {}, children: [] };
      here.children.push(child);
      here = child;
    } else if (here === top) throw new Error(`SGF: property ${key} stands before the first ';'`);
    else (here.properties[key] ??= []).push(...values);
  }
  if (branches.length) throw new Error("SGF: the text ends inside a game; a ')' is missing");
  return top.children;
}

function* tokens(text) {
  const end = text.trimEnd().length;
  for (let at = 0; at < end;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw new Error(`SGF, character ${at + 1}: cannot read '${text.slice(at, at + 20)}'`);
    at = TOKEN.lastIndex;
    const key = (match[2] ?? "").replace(/[a-z]/g, "");
    if (key || match[1]) yield [match[1] ?? "", key, [...(match[3] ?? "").matchAll(VALUE)].map(([, value]) => unescaped(value))];
  }
}

const unescaped = (text) => text.replace(/\\(\r\n|\n\r|.)/gs, (all, one) => (/^[\r\n]/.test(one) ? "" : one));
const first = (properties, key, otherwise) => properties[key]?.[0] ?? otherwise;

function header(properties) {
  const kind = first(properties, "GM", "4");
  if (kind.trim() !== "4") throw new Error(`SGF: GM[${kind}] is another game; Gomoku and Renju are GM[4]`);
  const size = /^\s*(\d{1,3})\s*(?::\s*(\d{1,3})\s*)?$/.exec(first(properties, "SZ", "15"));
  if (!size) throw new Error(`SGF: SZ[${properties.SZ[0]}] is not a size; write SZ[15] or SZ[15:13], sides up to 22`);
  const width = Number(size[1]), height = Number(size[2] ?? size[1]);
  const rule = RULES.find((name) => first(properties, "RU", "").toLowerCase().includes(name)) ?? "freestyle";
  const variant = { width, height, k: Number(first(properties, "TGK", "5")), rule };
  const [black, white] = ["AB", "AW"].map((key) => (properties[key] ?? []).flatMap((value) => block(variant, value)));
  const turn = first(properties, "PL", black.length <= white.length ? "B" : "W")[0].toUpperCase() === "W" ? "white" : "black";
  const setup = black.length || white.length || turn === "white" ? { black, white, turn } : null;
  const names = { black: first(properties, "PB", "").slice(0, 80), white: first(properties, "PW", "").slice(0, 80) };
  return { variant, setup, names, root: { children: [], comment: "" } };
}

/** A cell, or the rectangle `aa:cc`. */
function block(variant, value) {
  const [from, to = from] = value.split(":").map((text) => cell(variant, text)), { width } = variant;
  const cells = [];
  for (let row = Math.floor(from / width); row <= Math.floor(to / width); row++)
    for (let col = from % width; col <= to % width; col++) cells.push(row * width + col);
  return cells;
}

function cell({ width, height }, given) {
  const text = given.trim();
  if (/^[A-Za-z]\d{1,2}$/.test(text)) {
    const move = parseCell(text, width, height);
    if (move === null) throw new Error(`'${text}' is off the board`);
    return move;
  }
  if (!/^[a-z]{2}$/.test(text)) throw new Error(`SGF: '${text}' is not a cell; write two letters such as hh (passes are not supported)`);
  const [col, row] = [...text].map((letter) => letter.charCodeAt(0) - 97);
  if (col >= width || row >= height) throw new Error(`SGF: '${text}' is off the ${width}x${height} board`);
  return row * width + col;
}

function grow(game, root, top) {
  const stack = [[root, top, true]];
  while (stack.length) {
    const [parent, { properties, children }, isRoot] = stack.pop();
    let node = parent;
    if (!isRoot && ["AB", "AW", "AE"].some((key) => key in properties)) throw new Error("SGF: stones set up after the first node are not supported");
    const color = ["B", "W"].find((key) => key in properties);
    if (color) {
      node = { move: cell(game.variant, properties[color][0]), color: color === "B" ? "black" : "white", children: [], comment: "" };
      parent.children.push(node);
    }
    fill(game.variant, node, properties);
    for (const child of children.toReversed()) stack.push([node, child, false]);
  }
}

function fill(variant, node, { C, V, TGS }) {
  if (C) node.comment = node.comment ? `${node.comment}\n${C[0]}` : C[0];
  if (V) node.value = number(V[0], "V");
  if (TGS) {
    const [move, value, , line = ""] = TGS[0].split(/\s+/);
    node.look = { best: cell(variant, move), value: number(value, "TGS"), line: (line.match(/../g) ?? []).map((two) => cell(variant, two)) };
  }
}

function number(text, key) {
  if (!/^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?\s*$/.test(text)) throw new Error(`SGF: ${key}[${text}] is not a number`);
  return Math.max(-1, Math.min(1, Number(text)));
}

// Writing

const MARKS = { inaccuracy: "DO[]", mistake: "BM[1]", blunder: "BM[2]", "missed-win": "BM[2]", "allowed-win": "BM[2]" };

/** `game` as local/game.js keeps it; `header`: { names, result, day }. */
export function formatSgf(game, { names, result, day }) {
  const { width, height, k, rule } = game.variant, { setup } = game;
  const size = width === height ? `${width}` : `${width}:${height}`;
  const stones = (key, cells) => (cells?.length ? key + cells.map((move) => `[${twoLetters(width, move)}]`).join("") : "");
  const text = (key, value) => (value ? `${key}[${escaped(value)}]` : "");
  const head = `GM[4]FF[4]CA[UTF-8]AP[Tengen]SZ[${size}]RU[${rule}]${k === 5 ? "" : `TGK[${k}]`}`
    + text("PB", names.black) + text("PW", names.white) + text("RE", result) + stones("AB", setup?.black) + stones("AW", setup?.white)
    + (setup ? `PL[${setup.turn === "white" ? "W" : "B"}]` : "");
  return `(;${head}${nodeText(game, 0)}DT[${day}]${written(game)})\n`;
}

/** Everything behind the root, brackets where a node has several continuations; the line on show comes first. */
function written(game) {
  const line = new Set(game.path()), parts = [], stack = following(game, 0, line);
  while (stack.length) {
    const item = stack.pop();
    if (typeof item === "string") parts.push(item);
    else {
      const color = game.turnAt(game.nodes.get(item).parent) === "black" ? "B" : "W";
      parts.push(`\n;${color}[${twoLetters(game.variant.width, game.nodes.get(item).move)}]${nodeText(game, item)}`);
      stack.push(...following(game, item, line));
    }
  }
  return parts.join("");
}

function following(game, id, line) {
  const children = game.nodes.get(id).children.toSorted((a, b) => line.has(b) - line.has(a));
  return children.length < 2 ? children : children.toReversed().flatMap((child) => [")", child, "\n("]);
}

function nodeText(game, id) {
  const { note } = game.nodes.get(id), { width } = game.variant;
  if (!note) return "";
  const turn = game.turnAt(id) === "black" ? 0 : 1, of = (value, side) => (value.side === side ? value.number : -value.number);
  const comment = note.comment ? `C[${escaped(note.comment)}]` : "";
  const value = note.value ? `V[${of(note.value, 0).toFixed(4)}]` : "";
  const look = note.look?.best === null || !note.look ? "" : `TGS[${[twoLetters(width, note.look.best), of(note.look.value, turn).toFixed(4), 0,
    note.look.line.map((move) => twoLetters(width, move)).join("")].join(" ").trimEnd()}]`;
  return comment + value + look + (MARKS[note.verdict?.mark] ?? "");
}

const twoLetters = (width, move) => String.fromCharCode(97 + (move % width), 97 + Math.floor(move / width));
const escaped = (text) => text.replaceAll("\\", "\\\\").replaceAll("]", "\\]");
