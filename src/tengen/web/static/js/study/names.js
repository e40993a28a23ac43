// The names of the 26 classical openings, asked once.

import { get } from "../api.js";
import { pref } from "../prefs.js";

let known = null;
const load = async () => (known ??= await get("/api/explorer/openings"));

export const nameOf = (opening) => `${opening.code.toUpperCase()} ${pref("lang") === "zh" ? opening.zh : opening.en}`;

export async function openingName(code) {
  const found = (await load()).find((opening) => opening.code === code);
  return found ? nameOf(found) : code;
}

export const openingOptions = async () => (await load()).map((opening) => [opening.code, nameOf(opening)]);
export const allOpenings = load;
