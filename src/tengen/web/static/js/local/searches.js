// Searches in workers. Each runs in a worker of its own; one that has finished is kept for the next, one that must stop
// is ended.

import { networkFile, newWorker } from "./assets.js";

const KEPT = 2;

export class Searches {
  #module;
  #idle = [];
  #ids = 0;
  #networks = new Map();

  constructor(module) {
    this.#module = module;
  }

  /** Starts a job: `on.frame(frame)` while it runs, then `on.done(result)` or `on.failed(message)`. Returns what stops it. */
  start(job, on) {
    const worker = this.#idle.pop() ?? newWorker(), id = ++this.#ids;
    let running = true;
    const end = (then) => {
      if (!running) return;
      running = false;
      then();
    };
    worker.onmessage = ({ data }) => {
      if (data.id !== id || !running) return;
      if ("frame" in data) on.frame?.(data.frame);
      else end(() => this.#finished(worker, data, on));
    };
    worker.onerror = (event) => end(() => { worker.terminate(); on.failed?.(event.message || "the search has died"); });
    const failed = (error) => end(() => { worker.terminate(); on.failed?.(error.message); });
    const send = (sent, network) => running && worker.postMessage({ id, module: this.#module, job: sent, network });
    const without = () => send({ ...job, network: null }, null);
    if (job.network) this.#network(job.network.file).then((bytes) => send(job, bytes), job.network.optional ? without : failed);
    else without();
    return { stop: () => end(() => worker.terminate()) };
  }

  /** The result of a job that sends no frames. */
  ask(job) {
    return new Promise((done, failed) => this.start(job, { done, failed: (message) => failed(new Error(message)) }));
  }

  /** The bytes of a network, asked for when it is first needed. */
  #network(file) {
    if (!this.#networks.has(file)) {
      this.#networks.set(file, networkFile(file));
      this.#networks.get(file).catch(() => this.#networks.delete(file));
    }
    return this.#networks.get(file);
  }

  #finished(worker, { result, failed }, on) {
    if (failed !== undefined || this.#idle.length >= KEPT) worker.terminate();
    else this.#idle.push(worker);
    if (failed !== undefined) on.failed?.(failed);
    else on.done?.(result);
  }
}
