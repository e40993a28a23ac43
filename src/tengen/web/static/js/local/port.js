// The port of a page without a server: its requests and its sockets are answered here, with the engine in this browser.

import { Engine } from "../../../engine/tengen.js";
import { Refused } from "../refused.js";
import { data, engineModule } from "./assets.js";
import { Explorer } from "./explorer.js";
import { Game } from "./game.js";
import { Library } from "./library.js";
import { keepOffline } from "./offline.js";
import { readRecord, writeRecord } from "./records.js";
import { Room } from "./room.js";
import { GameError, Rules } from "./rules.js";
import { Searches } from "./searches.js";
import { Seats } from "./seats.js";
import { Shelf } from "./shelf.js";
import { StudyRoom } from "./study.js";

const SAVE_MS = 400;
const [SMALL_HASH, LARGE_HASH] = [16, 64];

export async function openPort() {
  const said = [], library = Library.open((message) => said.push(message));
  const [module, about] = await Promise.all([engineModule(), data("about.json")]);
  const engine = await Engine.load(module), searches = new Searches(module);
  const port = new LocalPort(new Rules(engine), about, searches);
  port.library = await library;
  port.library.onTrouble = (message) => port.troubled(message);
  if (said.length) port.troubled(said[0]);
  const shelf = new Shelf(port, port.library, engine, about), study = new StudyRoom((job) => searches.ask(job), engine, port.library, port, about.levels[15]);
  port.explorer = new Explorer(port.rules, shelf, port.machine);
  port.routes.push(...study.routes, ...shelf.routes, ...port.explorer.routes);
  performance.mark("engine");
  return port;
}

class LocalPort {
  hasServer = false;
  rooms = new Map();
  trouble = "";

  constructor(rules, about, searches) {
    this.rules = rules;
    const small = (navigator.deviceMemory ?? 4) <= 4;
    this.machine = { searches, seats: new Seats(about), hashMegabytes: small ? SMALL_HASH : LARGE_HASH };
    this.routes = [
      ["GET", /^\/api\/about$/, () => about],
      ["POST", /^\/api\/games$/, (match, body) => this.create(body)],
      ["GET", /^\/api\/games\/([\w-]+)$/, async ([, id]) => ({ game: (await this.room(id)).game.shown(), status: (await this.room(id)).game.status() })],
      ["GET", /^\/api\/games\/([\w-]+)\/record$/, async ([, id], body, query) => writeRecord((await this.room(id)).game, query.get("format") ?? "sgf")],
      ["POST", /^\/api\/records$/, (match, body) => this.open(body)],
      ["DELETE", /^\/api\/games\/([\w-]+)$/, ([, id]) => this.forget(id)],
    ];
  }

  async request(method, path, body) {
    const [plain] = path.split("?");
    for (const [verb, pattern, answer] of this.routes) {
      const match = verb === method && pattern.exec(plain);
      if (match) return this.answer(() => answer(match, body, new URLSearchParams(path.split("?")[1] ?? "")));
    }
    throw new Refused(501, "this needs the Tengen server");
  }

  async answer(act) {
    try {
      return await act();
    } catch (error) {
      if (error instanceof Refused) throw error;
      throw new Refused(error instanceof GameError ? 409 : 422, error.message, error.code);
    }
  }

  socket(id) {
    return new LocalSocket(this, id);
  }

  /** The whole site is fetched for use without a network: after the page, so as not to hold it up. */
  started() {
    keepOffline();
  }

  newId() { return newId(); }

  /** Games cannot be kept: said once, to the pages that are open or to the next one. */
  troubled(message) {
    const open = [...this.rooms.values()].filter((room) => room.pages.size);
    for (const room of open) room.tell(noStorage(message));
    this.trouble = open.length ? "" : message;
  }

  // Games

  create({ settings = {}, moves = [], setup = null }) {
    const game = new Game(this.rules, { id: newId(), settings, setup });
    for (const seat of [game.settings.black, game.settings.white]) this.machine.seats.check(seat, game.variant);
    if (game.swap2 && moves.length) throw new GameError("bad-opening", "a swap2 opening starts from an empty board");
    for (const move of moves) game.play(move);
    return this.adopt(game);
  }

  open(request) {
    const { game, cut } = readRecord(this.rules, newId(), request);
    return { ...this.adopt(game), cut };
  }

  adopt(game) {
    const room = this.add(game);
    this.save(room);
    return { id: game.id };
  }

  add(game) {
    const room = new Room(game, this.machine, (changed) => this.save(changed));
    this.rooms.set(game.id, room);
    return room;
  }

  async room(id) {
    if (this.rooms.has(id)) return this.rooms.get(id);
    const stored = await this.library.read(id);
    if (this.rooms.has(id)) return this.rooms.get(id);
    if (!stored) throw new Refused(404, "there is no such game here; it may have been deleted");
    return this.add(Game.restored(this.rules, stored));
  }

  async forget(id) {
    if (this.rooms.get(id)?.pages.size) throw new GameError("in-use", "the game is open in a page");
    this.rooms.delete(id);
    await this.library.delete(id);
    return null;
  }

  /** Soon, and once for all that changes until then. */
  save(room) {
    room.saving ??= setTimeout(() => {
      room.saving = null;
      this.library.write(structuredClone(room.game.stored()));
    }, SAVE_MS);
  }
}

/** The socket of a game as a page knows it from the server. */
class LocalSocket {
  readyState = 0;

  constructor(port, id) {
    this.hear = (event) => this.onmessage?.({ data: JSON.stringify(event) });
    port.room(id).then((room) => this.#open(port, room), (error) => this.onclose?.({ code: 1008, reason: error.message }));
  }

  #open(port, room) {
    if (this.readyState > 1) return;
    this.readyState = 1;
    this.room = room;
    this.onopen?.();
    room.join(this.hear);
    if (port.trouble) this.hear(noStorage(port.trouble));
    port.trouble = "";
  }

  send(text) {
    try {
      this.room.obey(JSON.parse(text));
    } catch (error) {
      if (!(error instanceof GameError)) console.error(error);
      this.hear({ type: "error", code: error.code ?? "failed", message: error.message });
    }
  }

  close() {
    this.readyState = 3;
    this.room?.leave(this.hear);
  }
}

const noStorage = (message) => ({ type: "error", code: "no-storage", message });

function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (n) => n.toString(16).padStart(2, "0")).join("");
}
