// bench/heap-owners.ts: reads a heap snapshot of a process and adds up the bytes of its buffers by the class
// that holds them, besides the size of its objects. A buffer with two holders is counted once, for the one
// nearer to the root. Growable shared buffers are not in a snapshot (growing-columns.ts).
import { readFileSync } from 'node:fs'

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[]
      readonly node_types: readonly [readonly string[], ...unknown[]]
      readonly edge_fields: readonly string[]
      readonly edge_types: readonly [readonly string[], ...unknown[]]
    }
  }
  readonly nodes: readonly number[]
  readonly edges: readonly number[]
  readonly strings: readonly string[]
}

export interface Owner {
  readonly name: string
  readonly bytes: number
}

export interface HeapOwners {
  /** Largest first. */
  readonly buffers: readonly Owner[]
  readonly objectBytes: number
}

const bufferData = 'system / JSArrayBufferData'

/** Wrappers of a buffer; its owner is the first holder towards the root that is something else. */
const isWrapping = (name: string): boolean =>
  /^(?:Shared)?ArrayBuffer$|Array$|^DataView$|^Buffer$|^Object$|^system \/|^\(|^Map$|^Set$/.test(name)

export function readHeapOwners(file: string): HeapOwners {
  const { snapshot, nodes, edges, strings } = JSON.parse(readFileSync(file, 'utf8')) as Snapshot
  const { node_fields, node_types, edge_fields, edge_types } = snapshot.meta
  const nodeSize = node_fields.length
  const edgeSize = edge_fields.length
  const [typeAt, nameAt, sizeAt, edgesAt] = ['type', 'name', 'self_size', 'edge_count'].map((field) =>
    node_fields.indexOf(field),
  ) as [number, number, number, number]
  const [edgeTypeAt, edgeNameAt, targetAt] = ['type', 'name_or_index', 'to_node'].map((field) =>
    edge_fields.indexOf(field),
  ) as [number, number, number]
  const weak = edge_types[0].indexOf('weak')
  const named = new Set(['property', 'context'].map((type) => edge_types[0].indexOf(type)))
  const object = node_types[0].indexOf('object')
  const count = nodes.length / nodeSize

  const firstEdge = new Uint32Array(count + 1)
  for (let node = 0; node < count; node++)
    firstEdge[node + 1] = firstEdge[node]! + nodes[node * nodeSize + edgesAt]!
  const nameOf = (node: number): string => strings[nodes[node * nodeSize + nameAt]!]!

  // Breadth first, so that the nearest holder comes first.
  const parent = new Int32Array(count).fill(-1)
  const property = new Int32Array(count).fill(-1)
  const order = new Uint32Array(count)
  let seen = 1
  parent[0] = 0
  for (let next = 0; next < seen; next++) {
    const node = order[next]!
    for (let edge = firstEdge[node]!; edge < firstEdge[node + 1]!; edge++) {
      const at = edge * edgeSize
      if (edges[at + edgeTypeAt] === weak) continue
      const target = edges[at + targetAt]! / nodeSize
      if (parent[target] !== -1) continue
      parent[target] = node
      if (named.has(edges[at + edgeTypeAt]!)) property[target] = edges[at + edgeNameAt]!
      order[seen++] = target
    }
  }

  const ownerOf = (data: number): string => {
    let field = ''
    for (let node = data; node !== 0; node = parent[node]!) {
      if (nodes[node * nodeSize + typeAt] === object && !isWrapping(nameOf(node)))
        return field === '' ? nameOf(node) : `${nameOf(node)}.${field}`
      if (property[node] !== -1) field = strings[property[node]!]!
    }
    return 'the runtime'
  }
  const bytesOf = new Map<string, number>()
  let objectBytes = 0
  for (let node = 0; node < count; node++) {
    const bytes = nodes[node * nodeSize + sizeAt]!
    if (nameOf(node) !== bufferData) {
      objectBytes += bytes
      continue
    }
    const owner = ownerOf(node)
    bytesOf.set(owner, (bytesOf.get(owner) ?? 0) + bytes)
  }
  const buffers = [...bytesOf].map(([name, bytes]) => ({ name, bytes }))
  return { buffers: buffers.sort((one, other) => other.bytes - one.bytes), objectBytes }
}
