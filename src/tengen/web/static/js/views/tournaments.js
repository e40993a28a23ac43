import { h } from "../dom.js";
import { t } from "../i18n.js";

export class TournamentsView {
  constructor() {
    this.element = h("div", { class: "page" }, h("h1", { text: t("tour.title") }), h("p", { class: "help", text: t("tour.none") }));
  }
}
