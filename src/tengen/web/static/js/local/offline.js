// The site without a network: a service worker keeps it. A new version is announced and waits until it is asked for.

import { h } from "../dom.js";
import { t } from "../i18n.js";

export async function keepOffline() {
  if (!navigator.serviceWorker || !location.protocol.startsWith("http")) return;
  try {
    const registration = await navigator.serviceWorker.register(new URL("../../../sw.js", import.meta.url));
    if (registration.waiting) announce(registration.waiting);
    registration.addEventListener("updatefound", () => watch(registration.installing));
  } catch {
    // A browser that keeps nothing still shows the page.
  }
}

/** The first version has nothing to replace; a later one is announced when all of it is here. */
function watch(worker) {
  worker?.addEventListener("statechange", () => {
    if (worker.state === "installed" && navigator.serviceWorker.controller) announce(worker);
  });
}

function announce(worker) {
  const reload = () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    worker.postMessage("take over");
  };
  const notice = h("div", { class: "toast note update", role: "status" }, h("span", { text: t("site.update") }),
    h("button", { type: "button", class: "primary", onclick: reload, text: t("site.update.now") }),
    h("button", { type: "button", onclick: () => notice.remove(), text: t("site.update.later") }));
  document.body.append(h("div", { class: "update-notice" }, notice));
}
