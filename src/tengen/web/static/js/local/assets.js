// Where the engine, its worker and the data of a static site are. The site in one file brings its own version of this.

const ROOT = new URL("../../../", import.meta.url);

export async function engineModule() {
  const response = await fetch(new URL("engine/tengen.wasm", ROOT));
  if (!response.ok) throw new Error(`the engine cannot be loaded: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

export const newWorker = () => new Worker(new URL("worker.js", import.meta.url), { type: "module" });

export async function data(name) {
  const response = await fetch(new URL(`data/${name}`, ROOT));
  if (!response.ok) throw new Error(`${name} cannot be loaded: ${response.status}`);
  return response.json();
}
