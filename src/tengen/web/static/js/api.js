// Requests to the server. A refusal becomes a Refused error with its status and the server's own words.

import { t } from "./i18n.js";
import { misfit, specOptions } from "./networks.js";

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function request(method, path, body) {
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const response = await fetch(path, options);
  if (response.status === 204) return null;
  const isJson = response.headers.get("content-type")?.includes("json");
  const data = isJson ? await response.json() : await response.text();
  if (!response.ok) throw new Refused(response.status, data?.detail ?? `${response.status} ${response.statusText}`);
  return data;
}

export const get = (path) => request("GET", path);
export const post = (path, body = {}) => request("POST", path, body);
export const del = (path) => request("DELETE", path);

/** What went wrong, in the reader's language as far as the kind of refusal says it. */
export function refusalText(error) {
  if (error.status === 403) return t("error.no-token");
  if (error.status === 503) return t("error.busy");
  if (error.status === undefined) return error instanceof TypeError ? t("error.offline") : String(error.message ?? error);
  return error.message;
}

let about = null;
/** Version, rules, players, levels: asked once. */
export async function catalogue() {
  about ??= await get("/api/about");
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

export const players = () => about.players;
export const networks = () => about.networks;
export const rules = () => about.rules;
export const sizes = () => about.sizes;
export const rowLengths = () => about.in_a_row;

/** Name, Elo and time of a seat `level:NAME`, or undefined. */
export function levelOf(seat, width) {
  return seat.startsWith("level:") ? levelsFor(width).find((level) => `level:${level.name}` === seat) : undefined;
}
