// Where the engine, its worker and the data of a static site are. The site in one file brings its own version of this.

const ROOT = new URL("../../../", import.meta.url);

/** The engine, compiled while it arrives; a server that does not call it WebAssembly sends it whole. */
export async function engineModule() {
  const response = await fetched("engine/tengen.wasm");
  const streams = response.headers.get("content-type")?.startsWith("application/wasm");
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

export const newWorker = () => new Worker(new URL("worker.js", import.meta.url), { type: "module" });

export const data = async (name) => (await fetched(`data/${name}`)).json();

/** A file of columns of numbers. */
export const columns = async (name) => (await fetched(`data/${name}`)).arrayBuffer();
export const hasColumns = () => true;

/** The bytes of a network. */
export const networkFile = async (name) => (await fetched(`networks/${name}`)).arrayBuffer();

async function fetched(path) {
  const response = await fetch(new URL(path, ROOT));
  if (!response.ok) throw new Error(`${path} cannot be loaded: ${response.status}`);
  return response;
}
