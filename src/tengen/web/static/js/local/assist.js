// The browser's engine on a page that has a server: live analysis is searched here and does not load the server. The
// server keeps the game; a copy of it follows the server's messages.

import { Engine } from "../../../engine/tengen.js";
import { catalogue } from "../api.js";
import { engineModule } from "./assets.js";
import { Desk } from "./desk.js";
import { Game } from "./game.js";
import { Rules } from "./rules.js";
import { Searches } from "./searches.js";
import { Seats } from "./seats.js";

const HASH_MEGABYTES = 64;
const HERE = ["alphabeta", "alphazero", "minimax", "mcts", "greedy", "weight", "person"];

/** `send(text)` is the socket's own. */
export async function openAssistant(socket, send) {
  const [module, about] = await Promise.all([engineModule(), catalogue()]);
  const machine = { searches: new Searches(module), seats: new Seats(about), hashMegabytes: HASH_MEGABYTES };
  return new Assistant(socket, send, new Rules(await Engine.load(module)), machine);
}

class Assistant {
  constructor(socket, send, rules, machine) {
    Object.assign(this, { socket, pass: send, rules, machine, game: null });
    this.desk = new Desk(this, machine);
    socket.addEventListener("close", () => this.desk.stopAll());
  }

  // What the desk expects of a room

  tell(event) { this.socket.onmessage?.({ data: JSON.stringify(event) }); }

  dirty() {}

  // Between the page and its server

  /** A message of the server, which the page hears too. */
  hear({ type, game, status, added, removed }) {
    if (type === "game") this.game = Game.restored(this.rules, { ...game, children: [], ending: status.ending, nextId: 1, touched: 0 });
    if (type === "update") this.#follow(added, removed, status);
  }

  #follow(added, removed, { cursor, ending }) {
    const moved = cursor !== this.game.cursor;
    for (const row of added) if (!this.game.nodes.has(row[0])) this.game.attach(row);
    for (const id of removed) if (this.game.nodes.has(id)) this.game.delete(id);
    Object.assign(this.game, { cursor, ending });
    if (moved || added.length) this.desk.follow();
  }

  /** A command of the page. What the browser's engine cannot do goes to the server, networks of other kinds included. */
  send(text) {
    const command = JSON.parse(text);
    if (command.type !== "analyse") return this.pass(text);
    const here = this.game !== null && command.specs.every((spec) => this.#plays(spec));
    this.desk.analyse(here ? command.specs : [], command.lines);
    return this.pass(here ? JSON.stringify({ ...command, specs: [] }) : text);
  }

  #plays(spec) {
    try {
      const { player, network } = this.machine.seats.resolve(spec, 1, this.game.variant);
      return HERE.includes(player) && (!network || Boolean(network.file));
    } catch {
      return false;
    }
  }
}
