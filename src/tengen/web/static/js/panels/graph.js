// Black's chances move by move. Click or drag to go to a move.

import { h, replace, s } from "../dom.js";
import { t } from "../i18n.js";
import { percent } from "../cells.js";
import { COLORS, forBlack, isFault, markOf, proofOf, winnerOf } from "../notes.js";
import { proofText } from "../reasons.js";

const WIDTH = 340, HEIGHT = 110;

export class WinGraph {
  /** With `split`, what each player thinks when it is to move is a line of its own. */
  constructor(session, { marks = false, split = false } = {}) {
    Object.assign(this, { session, marks, split });
    this.svg = s("svg", { class: "win-graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": t("analyse.graph") });
    this.value = h("span", { class: "graph-value" });
    this.element = h("figure", { class: "graph", data: { testid: "graph" } },
      h("figcaption", {}, h("span", { text: t("analyse.graph") }), this.value),
      h("div", { class: "graph-box" }, axisNames(), this.svg), split ? legend() : null);
    this.svg.addEventListener("pointerdown", (event) => { this.svg.setPointerCapture(event.pointerId); this.seek(event); });
    this.svg.addEventListener("pointermove", (event) => event.buttons && this.seek(event));
  }

  update() {
    const { tree, cursor } = this.session;
    this.line = tree.line(cursor);
    const at = this.line.indexOf(cursor);
    this.last = Math.max(10, this.line.length - 1);
    const points = this.line.map((id, i) => [i, forBlack(tree.get(id).note?.value)]).filter(([, v]) => v !== undefined);
    replace(this.svg, this.split ? this.opinions(points) : this.area(points), this.axis(), this.faults(), this.here(at),
      points.map(([i, v]) => this.dot(i, v, i === at)));
    this.value.textContent = this.caption(tree.get(cursor));
  }

  /** What is proven is told as such, not as a share. */
  caption(node) {
    const v = forBlack(node.note?.value), proof = proofOf(node);
    if (proof?.moves) return `${t(`color.${winnerOf(proof)}`)}: ${proofText(proof)}`;
    return v === undefined ? "" : percent(v);
  }

  x(i) {
    return 6 + (i / this.last) * (WIDTH - 12);
  }

  y(v) {
    return HEIGHT / 2 - v * (HEIGHT / 2 - 6);
  }

  area(points) {
    if (points.length < 2) return [];
    const path = this.path(points);
    const [first, last] = [points[0][0], points.at(-1)[0]];
    return [
      s("path", { d: `${path}L${this.x(last)} ${HEIGHT}L${this.x(first)} ${HEIGHT}Z`, class: "graph-black" }),
      s("path", { d: path, class: "graph-line" })];
  }

  opinions(points) {
    return COLORS.map((color) => {
      const own = points.filter(([i]) => this.session.turnAt(this.line[i]) === color);
      return own.length < 2 ? null : s("path", { d: this.path(own), class: `graph-opinion ${color}` });
    }).filter(Boolean);
  }

  path(points) {
    return points.map(([i, v], n) => `${n ? "L" : "M"}${this.x(i).toFixed(1)} ${this.y(v).toFixed(1)}`).join("");
  }

  axis() {
    return s("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "graph-middle" });
  }

  here(at) {
    return s("line", { x1: this.x(at), x2: this.x(at), y1: 0, y2: HEIGHT, class: "graph-here" });
  }

  faults() {
    if (!this.marks) return [];
    return this.line.map((id, i) => {
      const mark = markOf(this.session.tree.get(id));
      if (!isFault(mark)) return null;
      return s("line", { x1: this.x(i), x2: this.x(i), y1: 0, y2: HEIGHT, class: `graph-fault mark-${mark}` });
    }).filter(Boolean);
  }

  dot(i, v, here) {
    return here ? s("ellipse", { cx: this.x(i), cy: this.y(v), rx: 3.5, ry: 3.5, class: "graph-dot" }) : null;
  }

  seek(event) {
    const box = this.svg.getBoundingClientRect();
    const i = Math.round((((event.clientX - box.left) / box.width) * WIDTH - 6) / (WIDTH - 12) * this.last);
    const id = this.line[Math.max(0, Math.min(this.line.length - 1, i))];
    if (id !== undefined) this.session.go(id);
  }
}

const axisNames = () => h("div", { class: "graph-axis", "aria-hidden": "true" },
  ["100%", "50%", "0%"].map((text) => h("span", { text })));

const legend = () => h("p", { class: "graph-legend help" },
  COLORS.map((color) => h("span", { class: `graph-key ${color}`, text: t("watch.opinion", { color: t(`color.${color}`) }) })));
