// A game inside a link: #/open/15x15-5-freestyle/h8i9j7, with placed stones before the moves when there are any.

import { cellName, parseCell } from "./cells.js";

/** The moves on show as everybody writes them, which the page opens too; words in front name another game than 15x15
 * freestyle. Placed stones cannot be said: null. */
export function movesText(session) {
  if (session.setup) return null;
  const { width, height, k, rule } = session.settings;
  const words = [`${width}x${height}`, k === 5 ? null : `k=${k}`, rule === "freestyle" ? null : rule].filter(Boolean).join(" ");
  const moves = session.tree.moves(session.cursor).map((cell) => cellName(cell, width, height)).join("");
  return words === "15x15" ? moves : `${words} ${moves}`.trim();
}

export function gameLink(session) {
  const { width, height, k, rule } = session.settings;
  const names = (cells) => cells.map((cell) => cellName(cell, width, height)).join("");
  const parts = [`${width}x${height}-${k}-${rule}`, names(session.tree.moves(session.cursor)) || "-"];
  if (session.setup) parts.push(`${names(session.setup.black)}_${names(session.setup.white)}_${session.setup.turn}`);
  return `${location.href.split(/[?#]/)[0]}#/open/${parts.join("/")}`;
}

/** The game a link holds, ready for the server, or null. */
export function parseLink(parts) {
  const shape = /^(\d{1,2})x(\d{1,2})-(\d)-([a-z]+)$/.exec(parts[0] ?? "");
  if (!shape) return null;
  const [width, height, k] = shape.slice(1, 4).map(Number);
  const moves = cells(parts[1] === "-" ? "" : parts[1], width, height);
  const setup = parts[2] ? parseSetup(parts[2], width, height) : null;
  if (!moves || (parts[2] && !setup)) return null;
  return { settings: { width, height, k, rule: shape[4] }, moves, setup };
}

/** Is there such a game? `about` is the catalogue, which says what can be played. */
export function isPlayable({ width, height, k, rule }, about) {
  const { least, most } = about.sizes, fits = (side) => side >= Math.max(least, k) && side <= most;
  return fits(width) && fits(height) && about.in_a_row.includes(k) && about.rules.includes(rule) && (rule !== "renju" || k === 5);
}

function parseSetup(text, width, height) {
  const [black, white, turn] = text.split("_");
  const [b, w] = [cells(black, width, height), cells(white, width, height)];
  return b && w && ["black", "white"].includes(turn) ? { black: b, white: w, turn } : null;
}

function cells(text = "", width, height) {
  const names = text.match(/[a-z]\d{1,2}/gi) ?? [];
  const found = names.map((name) => parseCell(name, width, height));
  return names.join("") === text && !found.includes(null) ? found : null;
}
