// client/apply/collection-digest.ts: the digest of a collection, as the contract writes it: of the lines `id digest` of its items
// in their order. The digest of an item is that of its canonical JSON, which the service makes in the same way.
import { createHash } from 'node:crypto'

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
