// Keeps the whole site for use without a network. Each version has a cache of its own; a new one is fetched in full
// beside the old one and takes over when a person says so, or when no page is open any more.

const VERSION = "";
const FILES = [];
const CACHE = `tengen-${VERSION}`;
// Networks are named after their contents and stay through updates as long as the site has them. The engine's own are
// fetched with the site, the others when they are first used.
const NETWORKS = "tengen-networks";
const ALL_NETWORKS = [];
const ENGINE_NETWORKS = [];

self.addEventListener("install", (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)).then(keepNetworks));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([forgetVersions(), forgetNetworks()]));
});

self.addEventListener("message", ({ data }) => {
  if (data === "take over") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== self.location.origin) return;
  event.respondWith(answer(event.request));
});

async function answer(request) {
  if (/\/networks\/[^/]+$/.test(request.url)) return network(request);
  const cache = await caches.open(CACHE);
  return await cache.match(request, { ignoreSearch: request.mode === "navigate" }) ?? fetch(request);
}

/** The site works without them, so a network that does not arrive holds nothing up. */
async function keepNetworks() {
  await Promise.all(ENGINE_NETWORKS.map((file) => network(new Request(file)).catch(() => {})));
}

async function forgetVersions() {
  const old = (await caches.keys()).filter((name) => name.startsWith("tengen-") && ![CACHE, NETWORKS].includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function forgetNetworks() {
  const cache = await caches.open(NETWORKS), here = ALL_NETWORKS.map((file) => new URL(file, self.location).href);
  const old = (await cache.keys()).filter(({ url }) => !here.includes(url));
  await Promise.all(old.map((request) => cache.delete(request)));
}

async function network(request) {
  const cache = await caches.open(NETWORKS), kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone()).catch(() => {});  // no room: it plays all the same
  return response;
}
