// Playing a game: players, what can be done now, the tree of moves.

import { h, iconButton, redraw, replace } from "../dom.js";
import { t } from "../i18n.js";
import { cellName } from "../cells.js";
import { markOf } from "../notes.js";
import { confirmDialog } from "../dialogs.js";
import { PlayersCard } from "./players.js";
import { CommentBox } from "./comment.js";
import { TreeView } from "./treeview.js";
import { recordBar } from "./records.js";
import { toggle } from "../forms.js";
import { port } from "../port.js";
import { store, stored } from "../prefs.js";

const TEACHING = "tengen.teaching";

export class PlayPanel {
  constructor(view) {
    this.view = view;
    this.session = view.session;
    this.players = new PlayersCard(this.session, { editable: true });
    this.tree = new TreeView(this.session);
    this.comment = new CommentBox(this.session);
    this.actions = h("div", { class: "actions" });
    this.opening = h("div", { class: "opening" });
    this.notice = h("p", { class: "notice", role: "status" });
    this.teaching = h("div", { class: "teaching-box" });
    if (stored(TEACHING, false)) this.teach(true);
    this.element = h("section", { class: "panel play", "aria-label": t("nav.play") },
      this.players.element, this.opening, this.actions, this.notice, this.teaching, this.tree.element, this.comment.element,
      recordBar(view));
  }

  close() {
    this.players.close();
    this.tree.close();
  }

  update(kind) {
    if (!this.session.ready) return;
    this.teacher?.update(kind);
    redraw(this.teaching, [this.canTeach(), Boolean(this.teacher)], () => this.teachingBox());
    this.players.update();
    this.tree.update();
    this.comment.update();
    redraw(this.actions, this.buttonState(), () => this.buttons());
    replace(this.opening, this.openingChoice());
    this.notice.textContent = this.noticeText();
  }

  buttonState() {
    const { session } = this;
    return { busy: Boolean(session.thinking), over: session.over, start: session.cursor === 0, mine: session.myTurn,
      tip: !session.tree.get(session.cursor).children.length, people: session.humanColors.length };
  }

  buttons() {
    const { session } = this;
    const { busy, over, start, mine, tip, people } = this.buttonState();
    const play = (name) => () => session.send(name);
    const first = over
      ? iconButton("eye", t("over.review"), () => this.review(),
        { label: t("nav.review"), class: "icon-button accent" })
      : iconButton("hint", t("play.hint"), () => (this.teacher ? this.teacher.hint() : session.send("hint")),
        { key: "H", label: t("play.hint"), disabled: busy || !mine });
    return [
      iconButton("undo", t("play.undo"), play("undo"), { key: "Z", label: t("play.undo"), disabled: start }),
      iconButton("redo", t("play.redo"), play("redo"),
        { key: "X", label: t("play.redo"), disabled: tip }),
      first,
      iconButton("play", t("play.think"), play("think"),
        { key: "Enter", label: t("play.think.short"), disabled: busy || over }),
      iconButton("flag", t("play.resign"), () => confirmDialog(t("play.confirm.resign"), play("resign")),
        { label: t("play.resign"), disabled: over || !people }),
      iconButton("plus", t("play.new"), () => this.view.newGame(),
        { label: t("play.new.short"), class: over ? "icon-button accent" : "icon-button" }),
    ];
  }

  /** Whoever asks for the review of a finished game need not ask twice. */
  review() {
    const { session } = this, { tree } = session;
    const judged = tree.line(session.cursor).some((id) => markOf(tree.get(id)));
    if (!judged && !session.review) session.send("review");
    this.view.setMode("review");
  }

  openingChoice() {
    const opening = this.session.status.swap2;
    if (!opening?.stage.startsWith("choose") || opening.mover !== "human") return [];
    const button = (choice) => h("button",
      { type: "button", onclick: () => this.session.send("choose", { choice }), text: t(`swap2.${choice}`) });
    return [button("black"), button("white"), opening.stage === "choose" ? button("more") : null];
  }

  noticeText() {
    const { session } = this;
    const { width, height } = session.settings;
    if (session.hint && !this.teacher) return t("play.hint.text", { cell: cellName(session.hint.move, width, height) });
    if (session.tree.get(session.cursor).children.length && !session.thinking) return t("play.explore");
    return "";
  }

  // Teaching, loaded when it is first switched on

  canTeach() {
    return port.hasServer && this.session.humanColors.length === 1;
  }

  teachingBox() {
    if (!this.canTeach()) return [];
    return [toggle(t("play.teach"), Boolean(this.teacher), (on) => this.teach(on)), this.teacher?.element];
  }

  async teach(on) {
    store(TEACHING, on);
    this.teacher = on ? new (await import("../study/teaching.js")).Teacher(this.session, () => this.redrawAll()) : null;
    this.redrawAll();
  }

  redrawAll() {
    if (this.view.panel !== this) return;
    this.update();
    this.view.refresh();
  }

  play(cell) {
    return Boolean(this.canTeach() && this.teacher?.play(cell));
  }

  overlays() {
    if (this.teacher && this.canTeach()) return this.teacher.overlays();
    return { hint: this.session.hint?.move ?? null };
  }
}
