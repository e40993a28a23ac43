// Whom a page without a server can play: people, levels and the players of the core.

import { misfit, specOptions } from "../networks.js";
import { GameError } from "./rules.js";

export const HUMAN = "human";
export const ENGINE = "alphabeta";
const LEVEL = "level:";

export class Seats {
  constructor(about) {
    this.about = about;
  }

  /** The levels of the measured board that is nearest to this width, weakest first. */
  levels({ width }) {
    const sides = Object.keys(this.about.levels).map(Number);
    const nearest = sides.reduce((best, side) => (Math.abs(side - width) < Math.abs(best - width) ? side : best));
    return this.about.levels[nearest];
  }

  strongest(variant) {
    return LEVEL + this.levels(variant).at(-1).name;
  }

  check(seat, variant) {
    if (seat !== HUMAN) this.resolve(seat, 1, variant);
    return seat;
  }

  /** { player, options, seconds, network } behind a seat. */
  resolve(seat, seconds, variant) {
    if (seat.startsWith(LEVEL)) {
      const level = this.levels(variant).find((one) => LEVEL + one.name === seat);
      if (!level) throw new GameError("bad-player", `unknown level '${seat.slice(LEVEL.length)}'`);
      return this.#machine(level.spec, level.seconds, variant);
    }
    const machine = this.#machine(seat, seconds, variant);
    for (const key of Object.keys(machine.options))
      if (!(key in this.about.players[machine.player].options))
        throw new GameError("bad-player", `player '${machine.player}' has no option '${key}'`);
    return machine;
  }

  /** A level may set more of its player than people can. */
  #machine(spec, seconds, variant) {
    const player = spec.split(":")[0], options = specOptions(spec);
    if (!this.about.players[player]) throw new GameError("needs-server", `player '${player}' needs the Tengen server`);
    return { player, options, seconds, network: this.#network(player, options, variant) };
  }

  /** The network of a player that has one. */
  #network(player, options, variant) {
    if (player === ENGINE) return this.#valuer(options.network ?? "auto", variant);
    const { model } = this.about.players[player].options;
    return model ? this.#needed(options.model ?? model.default, variant) : null;
  }

  /** What values positions for the engine. `auto`: the one that helps in the game, if there is one and its file can be had. */
  #valuer(name, variant) {
    if (name === "none") return null;
    if (name !== "auto") return this.#needed(name, variant);
    const usual = this.about.engine_networks?.[variant.rule];
    const found = this.about.networks.find((one) => one.name === usual && !misfit(one, variant));
    return found ? { ...found, optional: true } : null;
  }

  #needed(name, variant) {
    const network = this.about.networks.find((one) => one.name === name);
    if (!network) throw new GameError("needs-server", `network '${name}' needs the Tengen server`);
    const why = misfit(network, variant);
    if (why === "k") throw new GameError("bad-player", `model '${name}' plays ${network.k} in a row, not ${variant.k}`);
    if (why) throw new GameError("bad-player", `model '${name}' plays ${network.rule}, not ${variant.rule}`);
    return network;
  }
}
