// Requests to the server or to the engine in this browser, and what can be chosen there.

import { errorText, t } from "./i18n.js";
import { misfit, specOptions } from "./networks.js";
import { port } from "./port.js";

export const get = (path) => port.request("GET", path);
export const post = (path, body = {}) => port.request("POST", path, body);
export const del = (path) => port.request("DELETE", path);

/** What went wrong, in the reader's language as far as the kind of refusal says it. */
export function refusalText(error) {
  if (error.status === 501) return t("site.needs-server");
  if (error.status === undefined) return error instanceof TypeError ? t("error.offline") : String(error.message ?? error);
  return errorText(error.code, error.message);
}

let about = null;
/** Version, rules, players, levels: asked once, and `again` when there is a new network. */
export async function catalogue(again = false) {
  if (!about || again) about = await get("/api/about");
  return about;
}

/** Was the level's rating measured on this very board and rule? Elsewhere its name has to do. */
export function isRated(level, { width, height, k, rule }) {
  return level.elo !== null && width === height && String(width) in about.levels && k === 5 && rule === about.rules[0];
}

/** The levels measured on the board size nearest to `width`. */
export function levelsFor(width) {
  const sizes = Object.keys(about.levels).map(Number);
  const nearest = sizes.sort((a, b) => Math.abs(a - width) - Math.abs(b - width))[0];
  return about.levels[nearest] ?? [];
}

/** A seat that can play this variant: a level that does not exist becomes the one of the same rank there, a player whose
 * network does not fit becomes a level. */
export function seatFor(seat, variant) {
  const levels = levelsFor(variant.width), model = seat && specOptions(seat).model;
  const network = model && about.networks.find((one) => one.name === model);
  if (network && misfit(network, variant) && levels.length) return `level:${levels[Math.floor(levels.length / 2)].name}`;
  const name = seat?.startsWith("level:") ? seat.slice(6) : null;
  if (name === null || !levels.length || levels.some((level) => level.name === name)) return seat;
  const home = Object.values(about.levels).find((list) => list.some((level) => level.name === name)) ?? levels;
  const rank = Math.max(0, home.findIndex((level) => level.name === name)) / Math.max(1, home.length - 1);
  return `level:${levels[Math.round(rank * (levels.length - 1))].name}`;
}

/** Can a page with a server search for itself? The server may come without the engine for browsers. */
export const hasBrowserEngine = () => port.hasServer && about.browser_engine;

export const players = () => about.players;
export const networks = () => about.networks;
export const rules = () => about.rules;
export const sizes = () => about.sizes;
export const rowLengths = () => about.in_a_row;

/** Name, Elo and time of a seat `level:NAME`, or undefined. */
export function levelOf(seat, width) {
  return seat.startsWith("level:") ? levelsFor(width).find((level) => `level:${level.name}` === seat) : undefined;
}
