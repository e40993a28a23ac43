// Making elements. Text always goes in as text: nothing here can turn a string into markup.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: props are attributes, except `class`, `text`, `data` and on* handlers. */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** An SVG element. */
export function s(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) setProp(element, name, value);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function setProp(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "class") element.setAttribute("class", value);
  else if (name === "text") element.textContent = value;
  else if (name === "data") Object.assign(element.dataset, value);
  else if (name === "value" && "value" in element) element.value = value;
  else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else element.setAttribute(name, value === true ? "" : value);
}

/** New children for an element. Who goes by keyboard keeps the focus on the control of the same name. */
export function replace(element, ...children) {
  const focused = document.activeElement;
  const name = focused !== element && element.contains(focused) && focused.matches(":focus-visible") ? nameOf(focused) : "";
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (name) [...element.querySelectorAll(focused.localName)].find((other) => nameOf(other) === name)?.focus();
  return element;
}

/** `build()` for new children, but only when `key` says that something has changed. */
export function redraw(element, key, build) {
  const text = JSON.stringify(key);
  if (element.drawnFor !== text) replace(element, build());
  element.drawnFor = text;
}

const nameOf = (element) => element.getAttribute("aria-label") ?? element.textContent;

/** A button with a line icon, a name for everyone and a key for those who type. */
export function iconButton(icon, name, onclick, extra = {}) {
  const { key, label, ...props } = extra;
  const title = key ? `${name} (${key})` : name;
  return h("button", { type: "button", class: "icon-button", title, "aria-label": name, onclick, ...props },
    iconOf(icon), label ? h("span", { class: "icon-label", text: label }) : null);
}

const PATHS = {
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "m15 7 5 5-5 5m5-5H10a6 6 0 0 0-6 6",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1 1.500 1 2.500h6c0-1 .2-1.700 1-2.500A6 6 0 0 0 12 3Z",
  play: "M7 5v14l12-7z",
  pause: "M8 5v14M16 5v14",
  stop: "M6 6h12v12H6z",
  flag: "M6 21V4h11l-2 4 2 4H6",
  plus: "M12 5v14M5 12h14",
  open: "M4 19V6h5l2 2h9v11z",
  save: "M12 4v11m-5-5 5 5 5-5M5 20h14",
  share: "M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 9h.01",
  edit: "M5 19h3l10-10-3-3L5 16zM13.500 7.500l3 3",
  help: "M9.500 9a2.500 2.500 0 1 1 3.500 2.300c-.7.4-1 .9-1 1.700M12 17h.01M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18Z",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500 19 19M5 19l1.500-1.500M17.500 6.500 19 5",
  moon: "M20 14.500A8 8 0 0 1 9.500 4a8 8 0 1 0 10.500 10.500Z",
  gear: "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M5.600 18.400l2.100-2.100M16.300 7.700l2.100-2.100",
  first: "M6 5v14M18 6l-7 6 7 6z",
  last: "M18 5v14M6 6l7 6-7 6z",
  prev: "m15 5-7 7 7 7",
  next: "m9 5 7 7-7 7",
  close: "M6 6l12 12M18 6 6 18",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7ZM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14ZM16 16l5 5",
  swords: "M5 4l11 11M19 4 8 15M14 17l3-3M7 14l3 3M17 17l3 3M4 20l3-3",
  chart: "M4 4v16h16M7 15l4-5 3 3 5-7",
  check: "m5 12 5 5 9-10",
  book: "M4 5c3-1 6-1 8 1 2-2 5-2 8-1v13c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v13",
  cup: "M7 4h10v5a5 5 0 0 1-10 0zM7 6H4a3 3 0 0 0 3 4M17 6h3a3 3 0 0 1-3 4M12 14v4M8 20h8",
  seal: "M5 3h14M3 8h18M12 3v5c-1 3-4 5-8 7M12 8c1 3 4 5 8 7M6 18h12M4 22h16M9 22c0 4-2 6-5 8M15 22v5c0 2 1 3 3 3h2v-2",
  chinese: "M12 3v3M4 7h16M7 7c1 6 5 11 12 13M17 7c-1 6-5 11-12 13",
  swap: "M4 8h15l-4-4M20 16H5l4 4",
  threat: "M12 3v4M12 17v4M3 12h4M17 12h4M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z",
};

export function iconOf(name, box = "0 0 24 24") {
  return s("svg", { viewBox: box, class: "icon", "aria-hidden": "true" }, s("path", { d: PATHS[name] }));
}
