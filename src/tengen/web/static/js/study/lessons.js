// Lessons: read a sentence, place the stone, see why.

import { h, redraw, replace } from "../dom.js";
import { get, post, refusalText } from "../api.js";
import { announce, toast } from "../dialogs.js";
import { store } from "../prefs.js";
import { knock } from "../sound.js";
import { StudyBoard } from "./board.js";
import { w, words } from "./words.js";

export class LessonsView {
  constructor(navigate, [id]) {
    this.navigate = navigate;
    this.element = h("div", { class: "lessons" });
    this.load(id);
  }

  async load(id) {
    try {
      const { lessons, finished } = await get("/api/study/lessons");
      const at = lessons.findIndex((lesson) => lesson.id === id);
      replace(this.element, at < 0 ? this.list(lessons, finished) : new LessonPlayer(lessons[at], lessons[at + 1]).element);
    } catch (error) {
      toast(refusalText(error), "error");
    }
  }

  list(lessons, finished) {
    return h("div", { class: "page" }, h("ol", { class: "cards lesson-list" }, lessons.map((lesson, i) => h("li", {},
      h("a", { class: "card", href: `#/study/lessons/${lesson.id}` }, h("strong", { text: `${i + 1}. ${words(lesson.title)}` }),
        h("span", { class: "help", text: [w("lesson.minutes", { n: lesson.minutes }), finished.includes(lesson.id) ? `✓ ${w("lesson.done")}` : ""].filter(Boolean).join(" · ") }))))));
  }
}

class LessonPlayer {
  constructor(lesson, following) {
    Object.assign(this, { lesson, following, at: 0, played: [], right: false });
    store("tengen.newcomer", "seen");
    this.board = new StudyBoard((cell) => this.play(cell));
    this.text = h("p", { class: "lesson-text", data: { testid: "lesson-text" } });
    this.says = h("p", { class: "puzzle-says", role: "status", data: { testid: "says" } });
    this.buttons = h("div", { class: "row wrap" });
    this.count = h("p", { class: "help" });
    this.element = h("div", { class: "game-view" }, this.board.element, h("aside", { class: "side" },
      h("section", { class: "panel", "aria-label": words(lesson.title) },
        h("a", { class: "back", href: "#/study/lessons", text: `← ${w("lesson.all")}` }),
        h("h2", { text: words(lesson.title) }), this.count, this.text, this.says, this.buttons)));
    this.draw();
  }

  get step() {
    return this.lesson.steps[this.at];
  }

  get readOnly() {
    return !this.step.accept.length;
  }

  play(cell) {
    if (this.right || this.readOnly) return;
    knock();
    this.right = this.step.accept.includes(cell);
    this.played = this.right && this.step.answer !== null ? [cell, this.step.answer] : [cell];
    const text = words(this.right ? this.step.done : this.step.wrong);
    this.say(text, this.right ? "good" : "bad");
    this.draw();
  }

  say(text, kind = "") {
    this.says.textContent = text;
    this.says.className = `puzzle-says ${kind}`;
    announce(text);
  }

  draw() {
    const { step, played } = this;
    const stays = this.right && !(played[0] in step.forbidden);
    this.board.show({ ...step, moves: stays ? played : [], first: step.turn, turn: this.right || this.readOnly ? null : step.turn,
      hint: !stays && played.length ? played[0] : null });
    this.text.textContent = words(step.text);
    this.count.textContent = w("lesson.step", { i: this.at + 1, n: this.lesson.steps.length });
    redraw(this.buttons, [this.at, this.right], () => this.buttonsNow());
  }

  buttonsNow() {
    const last = this.at === this.lesson.steps.length - 1;
    const back = this.at ? h("button", { type: "button", class: "quiet", onclick: () => this.go(this.at - 1), text: w("lesson.back") }) : null;
    if (!this.right && !this.readOnly) return [back];
    return [h("button", { type: "button", class: "primary", onclick: () => (last ? this.finish() : this.go(this.at + 1)), text: w("lesson.next") }), back];
  }

  go(at) {
    Object.assign(this, { at, played: [], right: false });
    this.say("");
    this.draw();
  }

  async finish() {
    try {
      await post(`/api/study/lessons/${this.lesson.id}/done`);
    } catch (error) {
      toast(refusalText(error), "error");
    }
    this.say(w("lesson.finished"), "good");
    const link = (href, text, kind = "") => h("a", { class: `button ${kind}`, href, text });
    replace(this.buttons, this.following
      ? link(`#/study/lessons/${this.following.id}`, w("lesson.nextlesson", { title: words(this.following.title) }), "primary")
      : link("#/study/puzzles", w("tab.puzzles"), "primary"), link("#/play", w("lesson.play")));
  }
}
