import { h } from "../dom.js";
import { t } from "../i18n.js";

export class TrainView {
  constructor() {
    this.element = h("div", { class: "page" }, h("h1", { text: t("train.title") }), h("p", { class: "help", text: t("train.none") }));
  }
}
