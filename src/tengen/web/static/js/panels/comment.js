// What a record says about the move on show, as plain text.

import { h } from "../dom.js";
import { t } from "../i18n.js";

export class CommentBox {
  constructor(session) {
    this.session = session;
    this.element = h("p", { class: "comment", "aria-label": t("play.comment"), data: { testid: "comment" }, hidden: true });
  }

  update() {
    const text = this.session.tree.get(this.session.cursor)?.note?.comment ?? "";
    this.element.textContent = text;
    this.element.hidden = !text;
  }
}
