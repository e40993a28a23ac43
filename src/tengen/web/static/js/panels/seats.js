// Changing who plays a colour in a running game: go on from here against another player, or take over yourself.

import { h } from "../dom.js";
import { colorName, t } from "../i18n.js";
import { openDialog } from "../dialogs.js";
import { field, number, SeatPicker } from "../forms.js";

export function changeSeat(session, color) {
  const { settings } = session;
  const wanted = { black: settings.black, white: settings.white, seconds: settings.seconds };
  const label = t("seat.change", { color: colorName(color) });
  const picker = new SeatPicker({ label, seat: wanted[color], variant: settings, human: true,
    onchange: (seat) => { wanted[color] = seat; } });
  const seconds = number(wanted.seconds, 0.05, 60, 0.05, (value) => { wanted.seconds = value; });
  const apply = () => { session.send("seats", wanted); close(); };
  const close = openDialog(label, [picker.element, field(t("new.seconds"), seconds, t("seat.seconds.help")),
    h("div", { class: "row end" }, h("button", { type: "button", class: "primary", onclick: apply, text: t("seat.apply") }))]);
}
