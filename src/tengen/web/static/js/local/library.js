// Games kept by the browser. Where it refuses to keep anything, they live as long as the page, and that is said.

const NAME = "tengen", STORE = "games", VERSION = 1;

export class Library {
  #database = null;
  #memory = new Map();

  /** `onTrouble(message)` hears once that games are not kept. */
  static async open(onTrouble) {
    const library = new Library();
    library.onTrouble = onTrouble;
    try {
      library.#database = await opened();
    } catch (error) {
      library.#fail(error);
    }
    return library;
  }

  async read(id) {
    return this.#memory.get(id) ?? (this.#database && await this.#ask("readonly", (games) => games.get(id))) ?? null;
  }

  async write(game) {
    this.#memory.set(game.id, game);
    if (this.#database) await this.#ask("readwrite", (games) => games.put(game));
  }

  async delete(id) {
    this.#memory.delete(id);
    if (this.#database) await this.#ask("readwrite", (games) => games.delete(id));
  }

  async all() {
    const kept = (this.#database && await this.#ask("readonly", (games) => games.getAll())) ?? [];
    return [...new Map([...kept, ...this.#memory.values()].map((game) => [game.id, game])).values()];
  }

  async #ask(mode, request) {
    try {
      return await finished(request(this.#database.transaction(STORE, mode).objectStore(STORE)));
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  #fail(error) {
    const { onTrouble } = this;
    this.onTrouble = null;
    onTrouble?.(String(error?.message ?? error));
  }
}

function opened() {
  const request = indexedDB.open(NAME, VERSION);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
  return finished(request);
}

function finished(request) {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
    request.onblocked = () => failed(new Error("another page keeps an older library open"));
  });
}
