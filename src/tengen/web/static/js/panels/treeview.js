// The variation tree as a map. Only what can be seen is drawn, at most once per frame, so thousands of moves cost nothing.

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
    this.element.addEventListener("scroll", () => this.schedule(), { passive: true });
    this.svg.addEventListener("click", (event) => this.clicked(event));
    this.resize = new ResizeObserver(() => this.update());
    this.resize.observe(this.element);
    this.version = -1;
    this.frame = null;
  }

  close() {
    this.resize.disconnect();
    this.closed = true;
  }

  update() {
    this.stale = true;
    this.schedule();
  }

  /** Draws after the next frame, once however often it is asked for: the board comes first, and is laid out by then. */
  schedule() {
    this.frame ??= requestAnimationFrame(() => setTimeout(() => this.show()));
  }

  show() {
    this.frame = null;
    const { tree, cursor } = this.session;
    if (this.closed || !this.session.ready || !tree.get(cursor)) return;
    if (this.version !== tree.version || this.tree !== tree) this.layout();
    if (this.shownCursor !== cursor) this.reveal(cursor);
    const { scrollLeft, scrollTop } = this.element;
    if (this.stale || this.left !== scrollLeft || this.top !== scrollTop) this.draw();
  }

  /** Columns are depths; the newest branch of a node keeps its row, older ones go below what is drawn already. */
  layout() {
    const { tree } = this.session;
    this.tree = tree;
    this.version = tree.version;
    this.rowOf = new Map();
    this.columns = [];
    const nextFree = [];
    const stack = [[ROOT, 0]];
    let rows = 0;
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
        (this.columns[node.depth] ??= []).push(node);
        for (let i = node.children.length - 1; i >= 1; i--) stack.push([node.children[i], row + 1]);
      }
      rows = Math.max(rows, row);
    }
    this.svg.setAttribute("width", (this.columns.length - 1) * STEP + 2 * PAD);
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
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element;
    Object.assign(this, { stale: false, left: scrollLeft, top: scrollTop });
    const near = (y) => y > scrollTop - MARGIN && y < scrollTop + clientHeight + MARGIN;
    const column = (x) => Math.max(0, Math.ceil((x - PAD) / STEP));
    const onPath = new Set([ROOT, ...this.tree.path(this.session.cursor)]);
    const edges = [], nodes = [];
    for (const node of this.columns.slice(column(scrollLeft - MARGIN), column(scrollLeft + clientWidth + MARGIN)).flat()) {
      const x = this.x(node.id), y = this.y(node.id);
      if (!near(y)) continue;
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
