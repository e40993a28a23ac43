// Which networks can play which board: what cannot work is shown with its reason and cannot be chosen.

/** Why a network does not play a variant: "", "size", "k" or "rule". */
export function misfit(network, { width, height, k, rule }) {
  if (network.rule !== rule) return "rule";
  if (network.k !== k) return "k";
  return network.size_free || (network.width === width && network.height === height) ? "" : "size";
}

/** The options of a spec such as `alphazero:model=tengen,sims=400`. */
export function specOptions(spec) {
  const rest = spec.includes(":") ? spec.slice(spec.indexOf(":") + 1) : "";
  return Object.fromEntries(rest.split(",").filter(Boolean).map((item) => item.split(/=(.*)/s).slice(0, 2)));
}

/** The spec with one option set; other options stay as they are. */
export function withOption(spec, key, value) {
  const name = spec.split(":")[0];
  const options = { ...specOptions(spec), [key]: value };
  return `${name}:${Object.entries(options).map(([k, v]) => `${k}=${v}`).join(",")}`;
}
