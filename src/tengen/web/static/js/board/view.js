// The board on the page: layers of one SVG, pointer, touch and keyboard.

import { replace, s } from "../dom.js";
import { Geometry, CELL } from "./geometry.js";
import { paints, surface } from "./surface.js";
import { Stones, stone } from "./stones.js";
import * as marks from "./marks.js";

const LAYERS = ["area", "heat", "threats", "forbidden", "shadow", "stone", "line", "last", "tags", "hint", "ghosts", "candidates", "hover",
  "cursor"];

const SMALL = 1.25;

export class BoardView {
  /** `on`: {play(cell), ask(cell) for the first tap of two, move(cell) for the keyboard cursor, leave()}. `guarded()` asks for a second tap. */
  constructor({ on, guarded, label }) {
    this.on = on;
    this.guarded = guarded;
    this.svg = s("svg", { class: "board", role: "application", tabindex: "0", "aria-label": label,
      data: { testid: "board" } });
    this.layer = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: `layer-${name}` })]));
    this.stones = new Stones();
    this.layer.shadow.append(this.stones.shadows);
    this.layer.stone.append(this.stones.bodies);
    this.keyboard = null;
    this.asked = null;
    this.preview = null;
    this.listen();
    new ResizeObserver(([{ contentRect }]) => this.measure(contentRect.width)).observe(this.svg);
  }

  /** Board units per pixel: text on a small board is drawn larger, so that it can be read. */
  measure(width = this.width) {
    this.width = width;
    if (!this.geometry || !width) return;
    const unit = this.geometry.totalWidth / width;
    this.svg.style.setProperty("--unit", unit.toFixed(3));
    this.svg.classList.toggle("small", unit > SMALL);
  }

  /** Draws an empty board of this shape; cheap when nothing changed. */
  shape(width, height, coordinates) {
    const key = `${width}x${height}:${coordinates}`;
    if (key === this.shapeKey) return;
    this.shapeKey = key;
    this.geometry = new Geometry(width, height, coordinates);
    this.svg.setAttribute("viewBox", `0 0 ${this.geometry.totalWidth} ${this.geometry.totalHeight}`);
    (this.svg.parentElement ?? this.svg).style.setProperty("--ratio", this.geometry.totalWidth / this.geometry.totalHeight);
    this.measure();
    this.stones.clear();
    replace(this.svg, paints(), surface(this.geometry, coordinates), LAYERS.map((name) => this.layer[name]));
  }

  draw(name, ...args) {
    replace(this.layer[name], marks[{ last: "lastMove", line: "winningLine" }[name] ?? name](this.geometry, ...args));
  }

  showStones(stones, numbered) {
    this.stones.show(stones, this.geometry, numbered);
    this.occupied = new Set(stones.map((stone) => stone.cell));
    this.ask(null);
  }

  showTags(tags) {
    replace(this.layer.tags, tags.map(({ cell, mark, text }) => marks.tag(this.geometry, cell, mark, text)));
  }

  // Where the next stone would go. `preview` is its colour, or null when nobody may place one.

  setPreview(color) {
    this.preview = color;
    if (!color) replace(this.layer.hover);
  }

  hoverAt(cell) {
    const show = cell !== null && this.preview && !this.occupied?.has(cell) && this.asked === null;
    replace(this.layer.hover, show ? stone(this.preview, this.geometry.x(cell), this.geometry.y(cell), "preview") : null);
  }

  /** The first tap of two: shows where the stone would stand. */
  ask(cell) {
    this.asked = cell;
    const g = this.geometry;
    replace(this.layer.hover, cell === null || !this.preview ? null : [
      s("path", { d: `M${g.x(cell)} 0V${g.totalHeight}M0 ${g.y(cell)}H${g.totalWidth}`, class: "crosshair" }),
      stone(this.preview, g.x(cell), g.y(cell), "asked")]);
    this.on.ask?.(cell);
  }

  // Pointer and keys

  listen() {
    const { svg } = this;
    svg.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.hoverAt(this.cellOf(event)));
    svg.addEventListener("pointerleave", () => this.left());
    svg.addEventListener("mousedown", (event) => event.preventDefault());
    svg.addEventListener("click", (event) => this.clicked(event));
    svg.addEventListener("keydown", (event) => this.pressed(event));
    svg.addEventListener("focus", () => this.moveCursor(this.keyboard ?? this.middle()));
    svg.addEventListener("blur", () => this.draw("cursor", null));
  }

  left() {
    if (this.asked === null) this.hoverAt(null);
    this.on.leave?.();
  }

  clicked(event) {
    const cell = this.cellOf(event);
    if (cell === null) return;
    const careful = this.guarded() && this.preview && !this.occupied?.has(cell);
    if (careful && this.asked !== cell) this.ask(cell);
    else this.place(cell, event);
  }

  place(cell, event) {
    this.ask(null);
    this.on.play(cell, event);
  }

  pressed(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (steps[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) this.stepCursor(...steps[event.key]);
    else if ((event.key === "Enter" || event.key === " ") && this.keyboard !== null) this.place(this.keyboard, event);
    else if (event.key === "Escape") this.svg.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  stepCursor(dx, dy) {
    const { width, height } = this.geometry;
    const at = this.keyboard ?? this.middle();
    const col = Math.max(0, Math.min(width - 1, (at % width) + dx));
    const row = Math.max(0, Math.min(height - 1, Math.floor(at / width) + dy));
    this.moveCursor(row * width + col);
  }

  moveCursor(cell) {
    this.keyboard = cell;
    this.draw("cursor", cell);
    this.on.move?.(cell);
  }

  middle() {
    const { width, height } = this.geometry;
    return Math.floor(height / 2) * width + Math.floor(width / 2);
  }

  cellOf(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix || !this.geometry) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return this.geometry.cellAt(point.x, point.y);
  }

  /** Screen pixels of a cell: for tests and for placing things beside it. */
  pixelOf(cell) {
    const point = new DOMPoint(this.geometry.x(cell), this.geometry.y(cell)).matrixTransform(this.svg.getScreenCTM());
    return { x: point.x, y: point.y, size: CELL * this.svg.getScreenCTM().a };
  }
}
