// What the pages of tournaments and training share: they ask again and again, live through a lost server, and open games.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { post, refusalText } from "../api.js";
import { toast } from "../dialogs.js";

/** Calls `load()` now and every `milliseconds` until closed. A failure is shown above the page, which stays. */
export class Polling {
  constructor(load, milliseconds) {
    this.load = load;
    this.fault = h("p", { class: "fault", role: "alert", hidden: true });
    this.closed = false;
    this.now();
    this.timer = setInterval(() => this.now(), milliseconds);
  }

  async now() {
    if (this.busy) return;
    this.busy = true;
    try {
      await this.load();
      this.fault.hidden = true;
    } catch (error) {
      this.fault.textContent = refusalText(error);
      this.fault.hidden = false;
    } finally {
      this.busy = false;
    }
  }

  close() {
    clearInterval(this.timer);
    this.closed = true;
  }
}

/** Does `action` once, however often the button is pressed meanwhile; what the server refuses is told. */
export function once(button, action) {
  button.addEventListener("click", async () => {
    if (button.disabled) return;
    button.disabled = true;
    try {
      await action();
    } catch (error) {
      toast(refusalText(error), "error");
    } finally {
      button.disabled = false;
    }
  });
  return button;
}

export function actionButton(text, action, kind = "") {
  return once(h("button", { type: "button", class: kind, text }), action);
}

/** Buttons that open games of `kind` (tournaments, runs) on the board. `lines(game)` are the parts of a button. */
export function gameList(kind, name, games, lines, navigate) {
  const open = (index) => async () => {
    const { id } = await post(`/api/${kind}/${encodeURIComponent(name)}/games/${index}`);
    navigate(`#/play/${id}`);
  };
  return h("div", { class: "game-list" }, games.slice(0, 24).map((game) =>
    once(h("button", { type: "button" }, lines(game)), open(game.index))));
}

export const resultText = (winner) => (winner ? t("over.five", { color: t(`color.${winner}`) }) : "½ – ½");
