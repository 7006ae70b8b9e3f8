// client/apply/content-digest.ts: the same content has the same digest, however its keys are ordered.
import { createHash } from 'node:crypto'

/** Of items in their order. */
export class CollectionDigest {
  readonly #hash = createHash('sha256')
  itemCount = 0

  add({ id, contentDigest }: { readonly id: string; readonly contentDigest: string }): void {
    this.#hash.update(`${id} ${contentDigest}\n`)
    this.itemCount++
  }

  /** Of what was added until now. */
  toString(): string {
    return `sha256:${this.#hash.copy().digest('hex')}`
  }
}

export function contentDigest(value: unknown): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex')}`
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
}
