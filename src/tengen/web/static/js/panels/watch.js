// Two players play each other; people watch.

import { h, iconButton, redraw, replace } from "../dom.js";
import { t } from "../i18n.js";
import { levelsFor, seatFor } from "../api.js";
import { field, number, ruleOptions, select, SeatPicker, sizeOptions } from "../forms.js";
import { valueOf } from "../notes.js";
import { store, stored } from "../prefs.js";
import { PlayersCard } from "./players.js";
import { WinGraph } from "./graph.js";
import { TreeView } from "./treeview.js";
import { recordBar } from "./records.js";

const KEY = "tengen.watch";

export class WatchPanel {
  constructor(view, choosing = false) {
    this.view = view;
    this.session = view.session;
    this.form = { width: 15, rule: "freestyle", seconds: 0.5, ...defaults(), ...stored(KEY, {}) };
    this.element = h("section", { class: "panel watch", "aria-label": t("nav.watch") });
    this.choosing = choosing;
    if (choosing) this.shape = () => this.variant();
    if (choosing) this.renderForm();
    else this.renderGame();
  }

  close() {
    this.players?.close();
    this.tree?.close();
  }

  set(changes) {
    Object.assign(this.form, changes);
    for (const color of ["black", "white"]) this.form[color] = seatFor(this.form[color], this.variant());
    store(KEY, this.form);
    this.view.refresh();
  }

  variant() {
    return { width: this.form.width, height: this.form.width, k: 5, rule: this.form.rule };
  }

  renderForm() {
    const { form } = this;
    const picker = (color) => new SeatPicker({ label: t(`color.${color}`), seat: form[color], variant: this.variant(),
      onchange: (seat) => this.set({ [color]: seat }) }).element;
    const seat = (color) => h("div", { class: "field" }, h("span", { class: "label", text: t(`color.${color}`) }),
      picker(color));
    const swap = () => { this.set({ black: form.white, white: form.black }); this.renderForm(); };
    replace(this.element, h("h2", { text: t("watch.title") }), seat("black"), seat("white"),
      h("button", { type: "button", class: "quiet", onclick: swap, text: t("watch.swap") }),
      h("div", { class: "two-columns" },
        field(t("new.board"), select(sizeOptions(), String(form.width),
          (n) => { this.set({ width: Number(n) }); this.renderForm(); })),
        field(t("new.rule"), select(ruleOptions(), form.rule, (rule) => { this.set({ rule }); this.renderForm(); })),
        field(t("new.seconds"), number(form.seconds, 0.05, 30, 0.05, (seconds) => this.set({ seconds })),
          t("seat.seconds.help"))),
      h("button", { type: "button", class: "primary big", onclick: () => this.start(), text: t("watch.start") }));
  }

  start() {
    const { width, rule, seconds, black, white } = this.form;
    this.view.create({ settings: { width, height: width, rule, seconds, black, white } }, "watch");
  }

  renderGame() {
    this.players = new PlayersCard(this.session);
    this.graph = new WinGraph(this.session, { split: true });
    this.tree = new TreeView(this.session);
    this.actions = h("div", { class: "actions" });
    replace(this.element, this.players.element, this.actions, this.graph.element, this.tree.element, recordBar(this.view, ["open", "save"]));
  }

  update(kind, event) {
    if (this.choosing || !this.session?.ready) return;
    if (kind === "decision" && event.value !== null) this.note(event.value);
    this.players.update();
    this.graph.update();
    this.tree.update();
    redraw(this.actions, [this.isRunning(), this.session.over], () => this.buttons());
  }

  /** A player's own opinion becomes a point of the graph. */
  note(value) {
    const node = this.session.tree.get(this.session.tree.get(this.session.cursor).parent) ?? this.session.tree.get(0);
    node.note = { ...node.note, value: valueOf(value, this.session.turnAt(node.id)) };
  }

  /** Between two moves nobody thinks, but the game goes on. */
  isRunning() {
    const { session } = this;
    return !session.over && (Boolean(session.thinking) || !session.status.paused);
  }

  buttons() {
    const { session } = this;
    const pause = this.isRunning()
      ? iconButton("pause", t("play.pause"), () => session.send("stop"), { label: t("play.pause") })
      : iconButton("play", t("play.resume"), () => session.send("think"),
        { label: t("play.resume"), disabled: session.over });
    return [pause,
      iconButton("eye", t("over.review"), () => this.view.setMode("review"),
        { label: t("nav.review"), disabled: !session.over }),
      iconButton("plus", t("watch.again"),
        () => { this.view.watched = null; this.view.navigate("#/watch"); this.view.showPanel(); },
        { label: t("watch.again") })];
  }

  preview() {
    return null;
  }

  play() {
    return true;
  }
}

function defaults() {
  const levels = levelsFor(15);
  return { black: `level:${levels.at(-1)?.name}`, white: `level:${levels.at(-3)?.name}` };
}
