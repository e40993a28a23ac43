// Why a move was judged as it was, in words. Says what happened, never which move was right: that is asked for.

import { cellName } from "./cells.js";
import { colorName, t } from "./i18n.js";

/** A sentence for a verdict's reason. `mover` is the colour that moved, `before` what was proven before it moved;
 * `answer` lets the sentence name the better move. */
export function reasonText(reason, mover, { width, height }, { answer = false, before = null } = {}) {
  if (!reason) return "";
  const name = (cell) => cellName(cell, width, height);
  const line = reason.line ?? [], instead = Boolean(reason.instead);
  const values = {
    mover: colorName(mover), opponent: colorName(mover === "black" ? "white" : "black"), n: reason.moves ?? 0,
    cell: line.length ? name(line[0]) : "", shape: ends(reason.shape ?? [], width, name), by: byText(reason.force),
  };
  if (reason.why === "wins" && before?.force === "five") return t("why.wins.late", values);
  const key = instead && answer && line.length ? `why.${reason.why}.answer` : `why.${reason.why}`;
  return t(key, values);
}

function byText(force) {
  return force === "vcf" || force === "vct" ? t(`why.by.${force}`) : "";
}

/** The two ends of a row of stones, as people name it, letters and then numbers rising: h8–k8, h5–h8. */
export function ends(cells, width, name) {
  if (cells.length < 2) return cells.map(name).join("");
  const along = [...cells].sort((a, b) => a % width - b % width || b - a);
  return `${name(along[0])}–${name(along.at(-1))}`;
}

/** "win in 7" for a proof, from the side that wins. */
export function proofText(proof) {
  return t(proof.moves > 1 ? "proof.win-in" : "proof.win-now", { n: proof.moves });
}
