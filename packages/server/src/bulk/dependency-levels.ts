// bulk/dependency-levels.ts: the order in which dependent monitors are applied, and the cycles among them.
// Nodes are numbers and edges are in columns, so that a million monitors take some megabytes. Pure.

export class DependencyGraph {
  #child = new Uint32Array(16)
  #parent = new Uint32Array(16)
  #edges = 0
  #nodes = 0

  /** The child depends on the parent. */
  add(child: number, parent: number): void {
    if (this.#edges === this.#child.length) {
      this.#child = doubled(this.#child)
      this.#parent = doubled(this.#parent)
    }
    this.#child[this.#edges] = child
    this.#parent[this.#edges++] = parent
    this.#nodes = Math.max(this.#nodes, child + 1, parent + 1)
  }

  levels(): DependencyLevels {
    const { starts, of } = neighbours(this.#nodes, this.#edges, this.#parent, this.#child)
    const waitsFor = new Uint32Array(this.#nodes)
    for (let edge = 0; edge < this.#edges; edge++) waitsFor[this.#child[edge]!]! += 1
    const level = new Uint32Array(this.#nodes)
    const ready: number[] = []
    for (let node = 0; node < this.#nodes; node++) if (waitsFor[node] === 0) ready.push(node)
    for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
      for (let at = starts[node]!; at < starts[node + 1]!; at++) {
        const child = of[at]!
        level[child] = Math.max(level[child]!, level[node]! + 1)
        waitsFor[child]! -= 1
        if (waitsFor[child] === 0) ready.push(child)
      }
    }
    return { level, circles: this.#circles(waitsFor) }
  }

  /** Nodes that still wait are in a cycle, or depend on one. From each, following such parents ends in a cycle. */
  #circles(waitsFor: Uint32Array): number[][] {
    const { starts, of } = neighbours(this.#nodes, this.#edges, this.#child, this.#parent)
    const waitingParent = (node: number): number => {
      let at = starts[node]!
      while (waitsFor[of[at]!] === 0) at++
      return of[at]!
    }
    /** The first walk that reached the node, from 1. */
    const seenBy = new Uint32Array(this.#nodes)
    const circles: number[][] = []
    let walk = 0
    for (let start = 0; start < this.#nodes; start++) {
      if (waitsFor[start] === 0 || seenBy[start] !== 0) continue
      walk++
      const way: number[] = []
      let node = start
      for (; seenBy[node] === 0; node = waitingParent(node)) {
        seenBy[node] = walk
        way.push(node)
      }
      if (seenBy[node] === walk) circles.push(way.slice(way.indexOf(node)))
    }
    return circles
  }
}

export interface DependencyLevels {
  /**
   * By node: 0 if it depends on nothing, otherwise one more than the highest level that it depends on.
   * Trailing nodes without edges may be missing.
   */
  readonly level: Uint32Array
  /** Each from one of its nodes along its dependencies. Every node without a level is in a cycle, or depends on one. */
  readonly circles: readonly (readonly number[])[]
}

/** The neighbours of a node are between its start and that of the next. */
interface Neighbours {
  readonly starts: Uint32Array
  readonly of: Uint32Array
}

function neighbours(nodes: number, edges: number, from: Uint32Array, to: Uint32Array): Neighbours {
  const starts = new Uint32Array(nodes + 1)
  for (let edge = 0; edge < edges; edge++) starts[from[edge]! + 1]! += 1
  for (let node = 0; node < nodes; node++) starts[node + 1]! += starts[node]!
  const next = starts.slice()
  const of = new Uint32Array(edges)
  for (let edge = 0; edge < edges; edge++) {
    const at = next[from[edge]!]!
    of[at] = to[edge]!
    next[from[edge]!] = at + 1
  }
  return { starts, of }
}

function doubled(column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(column.length * 2)
  larger.set(column)
  return larger
}
