// First, back, on, last: walking through a game without a keyboard.

import { h, iconButton, replace } from "../dom.js";
import { t } from "../i18n.js";

const STEPS = [["first", -1e6, "Home"], ["prev", -1, "←"], ["next", 1, "→"], ["last", 1e6, "End"]];

export class StepBar {
  /** `session()` is the game on show, or null when there is none to walk through. */
  constructor(session) {
    this.session = session;
    this.element = h("div", { class: "steps", role: "group", data: { testid: "steps" } });
    this.count = h("span", { class: "step-count" });
    this.build();
  }

  /** Again after a change of language. */
  build() {
    this.buttons = STEPS.map(([name, by, key]) => iconButton(name, t(`steps.${name}`), () => this.session().step(by), { key }));
    this.element.setAttribute("aria-label", t("steps.label"));
    replace(this.element, this.buttons.slice(0, 2), this.count, this.buttons.slice(2));
  }

  update() {
    const session = this.session();
    const line = session?.tree.line(session.cursor) ?? [];
    const at = line.indexOf(session?.cursor), last = line.length - 1;
    this.element.hidden = last < 1;
    this.count.textContent = `${at} / ${last}`;
    this.buttons.forEach((button, i) => { button.disabled = i < 2 ? at <= 0 : at >= last; });
  }
}
