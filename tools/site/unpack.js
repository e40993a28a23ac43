// Starts the site in one file: unpacks its parts and runs its script.
(async () => {
  const unpacked = async (id) => {
    const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };
  const script = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const { page, worker, files } = JSON.parse(new TextDecoder().decode(await unpacked("tengen-page")));
  const [engine, network, book] = await Promise.all(["engine", "network", "book"].map((name) => unpacked(`tengen-${name}`)));
  globalThis.TENGEN = { files, worker: script(worker), engine, network, book };
  await import(script(page));
})();
