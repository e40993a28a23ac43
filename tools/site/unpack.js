// Starts the site in one file: unpacks its parts and makes its modules importable.
(async () => {
  const unpacked = async (id) => {
    const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };
  const script = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const { modules, worker, files } = JSON.parse(new TextDecoder().decode(await unpacked("tengen-page")));
  globalThis.TENGEN = { files, worker: script(worker), engine: await unpacked("tengen-engine") };
  const map = document.createElement("script");
  map.type = "importmap";
  map.textContent = JSON.stringify({ imports: Object.fromEntries(Object.entries(modules).map(([name, text]) => [name, script(text)])) });
  document.head.append(map);
  await import("tengen/static/js/main.js");
})();
