// Stones, kept by cell so that a move adds one element and touches nothing else.

import { s } from "../dom.js";
import { STONE } from "./geometry.js";

const FALLING = 2; // so many new stones are seen to fall; a whole position is just there

export class Stones {
  constructor() {
    this.shadows = s("g", { class: "shadows", "aria-hidden": "true" });
    this.bodies = s("g", { class: "stones", "aria-hidden": "true" });
    this.shown = new Map();
  }

  /** `stones`: [{cell, color, number}]; stones that stay are left alone. */
  show(stones, geometry, numbered) {
    const wanted = new Map(stones.map((stone) => [stone.cell, stone]));
    for (const [cell, shown] of this.shown) {
      if (wanted.get(cell)?.color !== shown.color) this.lift(cell);
    }
    const falling = stones.filter(({ cell }) => !this.shown.has(cell)).length <= FALLING;
    for (const stone of stones) this.place(stone, geometry, numbered, falling);
  }

  place({ cell, color, number }, geometry, numbered, falling) {
    let shown = this.shown.get(cell);
    if (!shown) {
      const [x, y] = [geometry.x(cell), geometry.y(cell)];
      const shadow = s("circle", { cx: x + 2.2, cy: y + 3.4, r: STONE + 2.2, fill: "url(#paint-shadow)" });
      shown = { color, shadow, body: stone(color, x, y, falling ? "falling" : ""), text: null };
      this.shadows.append(shadow);
      this.bodies.append(shown.body);
      this.shown.set(cell, shown);
    }
    shown.text?.remove();
    shown.text = numbered && number ? s("text", { class: `number on-${color}`, text: number }) : null;
    if (shown.text) shown.body.append(shown.text);
  }

  lift(cell) {
    const { shadow, body } = this.shown.get(cell);
    shadow.remove();
    body.remove();
    this.shown.delete(cell);
  }

  clear() {
    for (const cell of [...this.shown.keys()]) this.lift(cell);
  }
}

/** One stone centred on its own origin, moved to its place. */
export function stone(color, x, y, extra = "") {
  return s("g", { class: `stone ${color} ${extra}`, transform: `translate(${x} ${y})` },
    s("g", { class: "drop" },
      s("circle", { r: STONE, fill: `url(#paint-${color})`, class: "body" }),
      s("ellipse", { cx: -5.5, cy: -7, rx: 6.5, ry: 4.6, fill: "url(#paint-gloss)",
        transform: "rotate(-35 -5.5 -7)", opacity: color === "black" ? 0.55 : 0.9 })));
}
