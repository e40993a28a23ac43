// What the server knows of a node: {value, comment, look, verdict, proof}. A value says for whom it is.

export const COLORS = ["black", "white"];
export const QUIET = ["best", "good", "lost"];
/** A player with a value above this, a chance of one in four, has not lost yet. */
const IN_THE_GAME = -0.5;
/** The drop of value that makes a blunder. */
const BLUNDER = 0.5;

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

/** What the proof of a position says after `move`, played by side `mover`, if that is the move it goes on with. */
export function carriedOn(proof, move, mover) {
  if (!proof || proof.line.length < 2 || proof.line[0] !== move) return null;
  const own = proof.winner === mover, force = !own && proof.moves === 1 ? "five" : proof.force;
  return { ...proof, line: proof.line.slice(1), force, moves: proof.moves - own };
}

/** What the proof of the position after `move` says of the one before: a move into a win is a win. */
export function carriedBack(proof, move, mover) {
  if (proof.winner !== mover) return null;
  return { winner: mover, line: [move, ...proof.line], force: proof.line.length ? "vct" : "five", moves: proof.moves + 1 };
}

/** Per cent, from what each move cost: the curve that lichess uses for lost winning chances. Where every move loses nobody
 * can err, so such moves say nothing. */
export function accuracy(nodes) {
  const judged = nodes.filter((node) => markOf(node) !== "lost");
  if (!judged.length) return null;
  const each = judged.map((node) => 103.1668 * Math.exp(-0.04354 * 50 * costOf(node)) - 3.1669);
  return Math.max(0, Math.min(100, each.reduce((a, b) => a + b, 0) / each.length));
}

/** A blunder and a win given away cost at least what makes a blunder, however little there was to lose. */
function costOf(node) {
  return ["blunder", "missed-win", "allowed-win"].includes(markOf(node)) ? Math.max(dropOf(node), BLUNDER) : dropOf(node);
}

/** Whoever moved stood no worse than the opponent, and then did; or was in the game, and then was lost. */
const turns = ({ before, after }) => (before >= 0 && after < 0) || (before > IN_THE_GAME && after <= -1);

/** Of moves in order, each { node, before, after } with the values for who moved, the node of the fault that decided the
 * game: the last that turned it, else the last that gave a forced win away, else the most costly one. */
export function turningPoint(moves) {
  const bad = moves.filter(({ node }) => isFault(markOf(node))), faults = bad.map(({ node }) => node);
  const turned = bad.filter(turns).map(({ node }) => node);
  const given = faults.filter((node) => ["allowed-win", "missed-win"].includes(markOf(node)));
  return turned.at(-1) ?? given.at(-1) ?? faults.reduce((worst, node) => (!worst || dropOf(node) > dropOf(worst) ? node : worst), null);
}
