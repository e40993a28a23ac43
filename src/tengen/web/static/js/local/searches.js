// Searches in workers. Each runs in a worker of its own; one that has finished is kept for the next, one that must stop
// is ended.

import { newWorker } from "./assets.js";

const KEPT = 2;

export class Searches {
  #module;
  #idle = [];
  #ids = 0;

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
    worker.postMessage({ id, module: this.#module, job });
    return { stop: () => end(() => worker.terminate()) };
  }

  /** The result of a job that sends no frames. */
  ask(job) {
    return new Promise((done, failed) => this.start(job, { done, failed: (message) => failed(new Error(message)) }));
  }

  #finished(worker, { result, failed }, on) {
    if (failed !== undefined || this.#idle.length >= KEPT) worker.terminate();
    else this.#idle.push(worker);
    if (failed !== undefined) on.failed?.(failed);
    else on.done?.(result);
  }
}
