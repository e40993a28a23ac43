// Keeps the whole site for use without a network. Each version has a cache of its own; a new one is fetched in full
// beside the old one and takes over when a person says so, or when no page is open any more.

const VERSION = "";
const FILES = [];
const CACHE = `tengen-${VERSION}`;
// Networks are named after their contents and stay through updates; each is kept when it is first used.
const NETWORKS = "tengen-networks";

self.addEventListener("install", (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(
    names.filter((name) => name.startsWith("tengen-") && ![CACHE, NETWORKS].includes(name)).map((name) => caches.delete(name)))));
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

async function network(request) {
  const cache = await caches.open(NETWORKS), kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone()).catch(() => {});  // no room: it plays all the same
  return response;
}
