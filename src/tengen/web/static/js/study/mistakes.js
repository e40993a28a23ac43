// Puzzles from the mistakes of a game that was reviewed.

import { post } from "../api.js";
import { toast } from "../dialogs.js";
import { store, stored } from "../prefs.js";
import { w } from "./words.js";

export async function practise(game) {
  const { added } = await post("/api/study/mistakes", { game });
  toast(added ? w("mistakes.made", { n: added }) : w("mistakes.none"));
  if (!added) return;
  store("tengen.puzzles", { ...stored("tengen.puzzles", {}), kind: "", rule: "", source: "own" });
  location.hash = "#/study/puzzles";
}
