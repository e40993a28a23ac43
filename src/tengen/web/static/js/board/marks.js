// What is drawn over the stones: last move, winning line, forbidden points, candidates, heat, ghosts.
// Each function gives the elements for one layer.

import { s } from "../dom.js";
import { compact, percent } from "../cells.js";
import { shortProof } from "../panels/opinion.js";
import { CELL, STONE } from "./geometry.js";
import { stone } from "./stones.js";

/** A dot, or a ring where the stone carries its number. */
export function lastMove(g, cell, numbered) {
  if (cell === null) return [];
  const shape = numbered ? { r: STONE - 2.5, class: "last-move ring" } : { r: 5, class: "last-move" };
  return [s("circle", { cx: g.x(cell), cy: g.y(cell), ...shape })];
}

export function winningLine(g, cells) {
  if (!cells?.length) return [];
  const along = [...cells].sort((a, b) => a - b);
  const [from, to] = [along[0], along.at(-1)];
  return [
    s("line", { x1: g.x(from), y1: g.y(from), x2: g.x(to), y2: g.y(to), class: "winning-line" }),
    ...cells.map((cell) => s("circle", { cx: g.x(cell), cy: g.y(cell), r: STONE + 1, class: "winning-stone" })),
  ];
}

/** Crosses with the reason as a tooltip and for screen readers. */
export function forbidden(g, reasons, nameOf) {
  return Object.entries(reasons).map(([cell, reason]) => {
    const [x, y] = [g.x(Number(cell)), g.y(Number(cell))];
    return s("g", { class: "forbidden", data: { cell } },
      s("title", { text: nameOf(reason) }),
      s("circle", { cx: x, cy: y, r: 12, class: "forbidden-area" }),
      s("path", { d: `M${x - 7} ${y - 7}l14 14M${x + 7} ${y - 7}l-14 14` }));
  });
}

/** Standing threats: rings where a side makes five next, dashed ones where it makes an open four. */
export function threats(g, sides) {
  return Object.entries(sides).flatMap(([color, { five, open_four: four }]) => [["five", five], ["four", four]]
    .flatMap(([kind, cells]) => cells.map((cell) => s("circle",
      { cx: g.x(cell), cy: g.y(cell), r: color === "black" ? 12 : 9, class: `threat ${kind} ${color}`, data: { cell } }))));
}

/** Policy or Q-values as soft squares. `signed` values run from -1 to 1; the best of them on this board is the strongest. */
export function heat(g, values, signed) {
  const entries = Object.entries(values);
  const top = Math.max(1e-6, ...entries.map(([, v]) => Math.abs(v)));
  const low = Math.min(...entries.map(([, v]) => v)), wide = Math.max(1e-6, Math.max(...entries.map(([, v]) => v)) - low);
  return entries.map(([cell, value]) => {
    const strength = signed ? (value - low) / wide : Math.sqrt(Math.max(0, value) / top);
    const [x, y] = [g.x(Number(cell)), g.y(Number(cell))];
    const kind = signed && value < 0 ? "heat cold" : "heat";
    return s("g", {},
      s("rect", { x: x - CELL / 2 + 1, y: y - CELL / 2 + 1, width: CELL - 2, height: CELL - 2, rx: 6, class: kind,
        opacity: (0.06 + 0.74 * Math.min(1, strength)).toFixed(3) }),
      strength > 0.25 || signed ? s("text", { x, y: y + 4, class: "heat-text", text: heatText(value, signed) }) : null);
  });
}

const heatText = (value, signed) => (signed ? value.toFixed(2).replace("0.", ".") : String(Math.round(100 * value)));

/** Top moves with value and visits; the best is filled, the rest pale by how much worse they are. A ring marks what the
 * other of two players would choose. */
export function candidates(g, list, slot, onHover, rival = null) {
  const most = Math.max(1, ...list.map((c) => c.visits));
  const best = list[0]?.value ?? 0;
  const ring = rival === null ? [] : [s("circle", { cx: g.x(rival), cy: g.y(rival), r: 19,
    class: `rival slot-${slot === "a" ? "b" : "a"}` })];
  const discs = list.map((c, rank) => {
    const [x, y] = [g.x(c.move), g.y(c.move)];
    const worse = Math.min(1, Math.max(0, best - c.value) * 2.5);
    const share = c.visits ? 0.45 + 0.55 * Math.sqrt(c.visits / most) : 0.8;
    return s("g", { class: `candidate slot-${slot} ${rank ? "" : "best"} ${c.proof && c.value < 0 ? "losing" : ""}`, data: { cell: c.move },
      onpointerenter: () => onHover(c), onpointerleave: () => onHover(null) },
      s("circle", { cx: x, cy: y, r: 17.5, class: "candidate-disc",
        "fill-opacity": ((1 - 0.6 * worse) * share).toFixed(3) }),
      s("text", { x, y: c.visits ? y - 4 : y + 0.5, class: c.visits ? "candidate-value raised" : "candidate-value", text: c.proof ? shortProof(c) : percent(c.value).slice(0, -1) }),
      c.visits ? s("text", { x, y: y + 11.5, class: "candidate-visits", text: compact(c.visits) }) : null);
  });
  return [...discs, ...ring];
}

/** Cells to look at: a hint that does not give the move away. */
export function area(g, cells) {
  return cells.map((cell) => s("rect", { x: g.x(cell) - CELL / 2, y: g.y(cell) - CELL / 2, width: CELL, height: CELL,
    class: "hint-area", data: { cell } }));
}

/** A line of play shown as numbered, half-transparent stones. */
export function ghosts(g, cells, turn) {
  const colors = turn === "black" ? ["black", "white"] : ["white", "black"];
  return cells.map((cell, i) => {
    const body = stone(colors[i % 2], g.x(cell), g.y(cell), "ghost");
    body.append(s("text", { class: `number on-${colors[i % 2]}`, text: i + 1 }));
    return body;
  });
}

export function hint(g, cell) {
  return cell === null ? [] : [
    s("circle", { cx: g.x(cell), cy: g.y(cell), r: 14, class: "hint-ring" }),
    s("circle", { cx: g.x(cell), cy: g.y(cell), r: 4, class: "hint-dot" })];
}

export function cursor(g, cell) {
  return cell === null ? [] : [
    s("rect", { x: g.x(cell) - 19, y: g.y(cell) - 19, width: 38, height: 38, rx: 8, class: "board-cursor" })];
}

/** Small coloured tags on stones: the judgement of a review. */
export function tag(g, cell, mark, text) {
  return s("g", { class: `tag mark-${mark}`, transform: `translate(${g.x(cell) + 13} ${g.y(cell) - 13})` },
    s("circle", { r: 9.5 }), s("text", { y: 3.8, text }));
}
