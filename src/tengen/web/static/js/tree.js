// The moves of a game as a tree. Node 0 is the position before the first move.

export const ROOT = 0;

export class GameTree {
  constructor(rows = []) {
    this.nodes = new Map([[ROOT, { id: ROOT, parent: -1, move: -1, children: [], depth: 0, note: null }]]);
    this.version = 0;
    for (const row of rows) this.add(row);
  }

  /** A row as the server sends it: [id, parent, move, note]. */
  add([id, parent, move, note]) {
    this.version += 1;
    const known = this.nodes.get(id);
    if (known) {
      if (note) known.note = note;
      return known;
    }
    const up = this.nodes.get(parent);
    const node = { id, parent, move, children: [], depth: up.depth + 1, note };
    this.nodes.set(id, node);
    up.children.push(id);
    return node;
  }

  remove(ids) {
    this.version += 1;
    for (const id of ids) {
      const node = this.nodes.get(id);
      if (!node) continue;
      const up = this.nodes.get(node.parent);
      if (up) up.children = up.children.filter((child) => child !== id);
      this.nodes.delete(id);
    }
  }

  get(id) {
    return this.nodes.get(id);
  }

  /** Ids from the first move to `id`. */
  path(id) {
    const ids = [];
    for (let at = id; at !== ROOT && this.nodes.has(at); at = this.nodes.get(at).parent) ids.push(at);
    return ids.reverse();
  }

  /** The root, the path to `id`, and on along the newest branches. */
  line(id) {
    const ids = [ROOT, ...this.path(id)];
    for (let node = this.nodes.get(id); node?.children.length; ) {
      node = this.nodes.get(node.children.at(-1));
      ids.push(node.id);
    }
    return ids;
  }

  moves(id) {
    return this.path(id).map((at) => this.nodes.get(at).move);
  }
}
