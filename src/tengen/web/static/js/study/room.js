// The study room: puzzles, lessons, the library and openings, each loaded when it is first opened.

import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { w } from "./words.js";

const TABS = {
  puzzles: async () => (await import("./puzzles.js")).PuzzlesView,
  lessons: async () => (await import("./lessons.js")).LessonsView,
  library: async () => (await import("./library.js")).LibraryView,
  openings: async () => (await import("./openings.js")).OpeningsView,
};

export class StudyView {
  /** `#/study/TAB/REST` */
  constructor(navigate, tab, rest) {
    this.tab = tab in TABS ? tab : "puzzles";
    this.body = h("div", { class: "study-body" });
    this.element = h("div", { class: "study" }, h("h1", { class: "unseen", text: `${t("nav.study")}: ${w(`tab.${this.tab}`)}` }),
      h("nav", { class: "study-tabs", "aria-label": t("nav.study") }, Object.keys(TABS).map((name) =>
        h("a", { href: `#/study/${name}`, "aria-current": name === this.tab ? "page" : null, data: { tab: name }, text: w(`tab.${name}`) }))),
      this.body);
    this.open(navigate, rest);
  }

  async open(navigate, rest) {
    const View = await TABS[this.tab]();
    if (this.closed) return;
    this.view = new View(navigate, rest);
    replace(this.body, this.view.element);
  }

  close() {
    this.closed = true;
    this.view?.close?.();
  }
}
