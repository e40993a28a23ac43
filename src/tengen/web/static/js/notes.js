// What the server knows of a node: {value, comment, look, verdict, proof}. A value says for whom it is.

export const COLORS = ["black", "white"];
export const QUIET = ["best", "good", "lost"];

/** A value as black sees it, or undefined. */
export function forBlack(value) {
  if (!value) return undefined;
  return value.side === 0 ? value.number : -value.number;
}

export const valueOf = (number, turn) => ({ number, side: COLORS.indexOf(turn) });
export const markOf = (node) => node?.note?.verdict?.mark;
export const isFault = (mark) => Boolean(mark) && !QUIET.includes(mark);
export const dropOf = (node) => node?.note?.verdict?.drop ?? 0;
export const proofOf = (node) => node?.note?.proof ?? null;
export const winnerOf = (proof) => (proof ? COLORS[proof.winner] : null);

/** Per cent, from the value each move cost: the curve that lichess uses for lost winning chances. */
export function accuracy(drops) {
  if (!drops.length) return null;
  const each = drops.map((drop) => 103.1668 * Math.exp(-0.04354 * 50 * drop) - 3.1669);
  return Math.max(0, Math.min(100, each.reduce((a, b) => a + b, 0) / each.length));
}

/** Of nodes in order, the one whose move decided the game: the last win given away, else the most costly fault. */
export function turningPoint(nodes) {
  const faults = nodes.filter((node) => isFault(markOf(node)));
  const given = faults.filter((node) => ["allowed-win", "missed-win"].includes(markOf(node)));
  return given.at(-1) ?? faults.reduce((worst, node) => (!worst || dropOf(node) > dropOf(worst) ? node : worst), null);
}
