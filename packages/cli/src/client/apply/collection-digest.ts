// client/apply/collection-digest.ts: the digest of a collection as the contract defines it: over the lines `id digest` of
// its items, in order. The digest of an item is that of its canonical JSON, which the service computes in the same way.
import { createHash } from 'node:crypto'

/** Batched: many small updates would take longer than the digest itself. */
const charactersAtOnce = 16 * 1024

export class CollectionDigest {
  readonly #hash = createHash('sha256')
  #lines = ''
  itemCount = 0

  add({ id, contentDigest }: { readonly id: string; readonly contentDigest: string }): void {
    this.#lines += `${id} ${contentDigest}\n`
    this.itemCount++
    if (this.#lines.length > charactersAtOnce) this.#flush()
  }

  /** The digest of all items added so far. */
  toString(): string {
    this.#flush()
    return `sha256:${this.#hash.copy().digest('hex')}`
  }

  #flush(): void {
    this.#hash.update(this.#lines)
    this.#lines = ''
  }
}
