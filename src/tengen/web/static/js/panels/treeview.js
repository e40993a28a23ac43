// The variation tree as a map. Only what can be seen is drawn, so thousands of moves cost nothing.

import { h, replace, s } from "../dom.js";
import { t } from "../i18n.js";
import { cellName } from "../cells.js";
import { isFault, markOf } from "../notes.js";
import { ROOT } from "../tree.js";

const STEP = 26, PAD = 18, MARGIN = 3 * STEP;

export class TreeView {
  constructor(session) {
    this.session = session;
    this.svg = s("svg", { class: "tree-map", role: "group", "aria-label": t("play.moves") });
    this.element = h("div", { class: "tree", tabindex: "-1", data: { testid: "tree" } }, this.svg);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    this.svg.addEventListener("click", (event) => this.clicked(event));
    this.resize = new ResizeObserver(() => this.draw());
    this.resize.observe(this.element);
    this.version = -1;
  }

  close() {
    this.resize.disconnect();
  }

  update() {
    const { tree, cursor } = this.session;
    if (this.version !== tree.version || this.tree !== tree) this.layout();
    if (this.shownCursor !== cursor) this.reveal(cursor);
    this.draw();
  }

  /** Columns are depths; the newest branch of a node keeps its row, older ones go below what is drawn already. */
  layout() {
    const { tree } = this.session;
    this.tree = tree;
    this.version = tree.version;
    this.rowOf = new Map();
    const nextFree = [];
    const stack = [[ROOT, 0]];
    let rows = 0, columns = 0;
    while (stack.length) {
      const [id, wish] = stack.pop();
      let node = tree.get(id), length = 0;
      for (let at = node; at; at = tree.get(at.children[0])) length += 1;
      let row = wish;
      for (let d = Math.max(0, node.depth - 1); d < node.depth + length; d++) row = Math.max(row, nextFree[d] ?? 0);
      if (id !== ROOT) for (let d = node.depth - 1; d <= node.depth; d++) nextFree[d] = Math.max(nextFree[d] ?? 0, row + 1);
      for (; node; node = tree.get(node.children[0])) {
        this.rowOf.set(node.id, row);
        nextFree[node.depth] = row + 1;
        columns = Math.max(columns, node.depth);
        for (let i = node.children.length - 1; i >= 1; i--) stack.push([node.children[i], row + 1]);
      }
      rows = Math.max(rows, row);
    }
    this.svg.setAttribute("width", columns * STEP + 2 * PAD);
    this.svg.setAttribute("height", rows * STEP + 2 * PAD);
  }

  reveal(cursor) {
    this.shownCursor = cursor;
    const x = this.x(cursor), y = this.y(cursor), box = this.element;
    const { clientWidth: w, clientHeight: h_ } = box;
    if (x < box.scrollLeft + MARGIN || x > box.scrollLeft + w - MARGIN) box.scrollLeft = x - w * 0.6;
    if (y < box.scrollTop + PAD || y > box.scrollTop + h_ - PAD) box.scrollTop = y - h_ / 2;
  }

  x(id) {
    return PAD + this.tree.get(id).depth * STEP;
  }

  y(id) {
    return PAD + (this.rowOf.get(id) ?? 0) * STEP;
  }

  draw() {
    if (!this.tree?.get(this.session.cursor)) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element;
    const near = (x, y) => x > scrollLeft - MARGIN && x < scrollLeft + clientWidth + MARGIN && y > scrollTop - MARGIN
      && y < scrollTop + clientHeight + MARGIN;
    const onPath = new Set([ROOT, ...this.tree.path(this.session.cursor)]);
    const edges = [], nodes = [];
    for (const node of this.tree.nodes.values()) {
      const x = this.x(node.id), y = this.y(node.id);
      if (!near(x, y)) continue;
      if (node.id !== ROOT) edges.push(this.edge(node, x, y, onPath));
      nodes.push(this.mark(node, x, y, onPath));
    }
    replace(this.svg, edges, nodes);
  }

  edge(node, x, y, onPath) {
    const fromY = this.y(node.parent), fromX = x - STEP;
    const d = fromY === y ? `M${fromX} ${y}H${x}`
      : `M${fromX} ${fromY}V${y - STEP / 2}Q${fromX} ${y} ${fromX + STEP / 2} ${y}H${x}`;
    return s("path", { d, class: onPath.has(node.id) ? "edge on" : "edge" });
  }

  mark(node, x, y, onPath) {
    const color = node.id === ROOT ? "root" : this.session.turnAt(node.parent);
    const { width, height } = this.session.settings;
    const fault = isFault(markOf(node)) && this.showMarks ? ` mark-${markOf(node)}` : "";
    const here = node.id === this.session.cursor ? " here" : "";
    return s("g", { class: `tree-node ${color}${here}${fault}${onPath.has(node.id) ? " on" : ""}`, data: { node: node.id },
      transform: `translate(${x} ${y})` },
      s("title", { text: node.id === ROOT ? "0" : `${node.depth}. ${cellName(node.move, width, height)}` }),
      s("circle", { r: node.id === ROOT ? 5 : 10 }),
      node.id === ROOT ? null : s("text", { y: 3.5, text: node.depth }));
  }

  clicked(event) {
    const mark = event.target.closest("[data-node]");
    if (mark) this.session.go(Number(mark.dataset.node));
  }
}
