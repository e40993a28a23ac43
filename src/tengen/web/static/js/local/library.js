// Games kept by the browser. Where it refuses to keep anything, they live as long as the page, and that is said.

const NAME = "tengen", GAMES = "games", FACTS = "facts", VERSION = 1;

export class Library {
  #database = null;
  #memory = new Map();
  #facts = new Map();

  /** `onTrouble(message)` hears once that games are not kept. */
  static async open(onTrouble) {
    const library = new Library();
    library.onTrouble = onTrouble;
    try {
      library.#database = await opened();
      library.#database.onversionchange = () => library.#database.close();  // a newer page must not wait for this one
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

  /** A fact of any kind by its name, or null. */
  async kept(name) {
    return this.#facts.get(name) ?? (this.#database && await this.#ask("readonly", (facts) => facts.get(name), FACTS)) ?? null;
  }

  async keep(name, fact) {
    this.#facts.set(name, fact);
    if (this.#database) await this.#ask("readwrite", (facts) => facts.put(fact, name), FACTS);
  }

  async #ask(mode, request, store = GAMES) {
    try {
      const transaction = this.#database.transaction(store, mode);
      const [result] = await Promise.all([finished(request(transaction.objectStore(store))), completed(transaction)]);
      return result;
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
  request.onupgradeneeded = () => {
    request.result.createObjectStore(GAMES, { keyPath: "id" });
    request.result.createObjectStore(FACTS);
  };
  return finished(request);
}

/** A full disk is found when a transaction ends. */
function completed(transaction) {
  return new Promise((done, failed) => {
    transaction.oncomplete = done;
    transaction.onabort = () => failed(transaction.error ?? new Error("the browser gave up"));
  });
}

function finished(request) {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
    request.onblocked = () => failed(new Error("another page keeps an older library open"));
  });
}
