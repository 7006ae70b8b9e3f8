// api/v2/operation-ids.ts: the names of operations. Operations are numbered, and a name carries the number and a
// signature, so an issued name can be told from an invented one even if the operation is no longer kept. A restored store
// continues counting from its backup and so reuses numbers issued after the backup. Therefore each restore changes the
// signature, and a name issued before it never becomes the name of another operation.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { V2Problem } from '../../requests/v2-problem.ts'
import type { Recovered, StoreIdentity } from '../../store/store.ts'

const bulkForm = /^bulk-([1-9a-z][0-9a-z]{0,10})-([0-9a-f]{16})$/
const form = /^op-([1-9a-z][0-9a-z]{0,10})-([0-9a-f]{16})$/

const signatureDigits = 16
/** As many signatures as fit into one digest. */
const signedTogether = 8

export class OperationIds {
  readonly #key: Uint8Array
  readonly #restores: Recovered['restores']
  #last: number
  /** The last block computed for each use. */
  readonly #blocks = new Map<string, { readonly block: number; readonly signatures: string }>()

  /** Continues after the last stored operation. */
  constructor(
    { key }: StoreIdentity,
    { lastOperation, restores }: Pick<Recovered, 'lastOperation' | 'restores'>,
  ) {
    this.#key = key
    this.#restores = restores
    this.#last = lastOperation
  }

  /** The number of the last operation that was issued. */
  get last(): number {
    return this.#last
  }

  next(): { readonly number: number; readonly id: string } {
    this.#last++
    return { number: this.#last, id: this.nameOf(this.#last) }
  }

  nameOf(number: number): string {
    return `op-${number.toString(36)}-${this.#sign('operation', number)}`
  }

  /** Null for a name that was never issued. Throws a problem for a name that a restore has made invalid. */
  numberOf(id: string): number | null {
    return this.#read(form, 'operation', id)
  }

  /** The name of a bulk operation. It stays recognizable as one when its record is no longer kept. */
  bulkNameOf(number: number): string {
    return `bulk-${number.toString(36)}-${this.#sign('bulk', number)}`
  }

  /** The number of a bulk operation. */
  bulkNumberOf(id: string): number | null {
    return this.#read(bulkForm, 'bulk', id)
  }

  #read(form: RegExp, use: string, id: string): number | null {
    const [, text, signature] = form.exec(id) ?? []
    if (text === undefined || signature === undefined) return null
    const number = Number.parseInt(text, 36)
    if (isSame(signature, this.#sign(use, number))) return number
    const lost = this.#restores.some(
      ({ lastOperation }, index) =>
        number > lastOperation && isSame(signature, this.#signIn(this.#useIn(use, index - 1), number)),
    )
    if (lost) throw new V2Problem('operationExpired', restoredSince)
    return null
  }

  /** Each restore changed the signature for all numbers after its backup. */
  #sign(use: string, number: number): string {
    const life = this.#restores.findLastIndex(({ lastOperation }) => number > lastOperation)
    return this.#signIn(this.#useIn(use, life), number)
  }

  /** -1: before the first restore. */
  #useIn(use: string, life: number): string {
    const epoch = this.#restores[life]?.epoch
    return epoch === undefined ? use : `${use} ${epoch}`
  }

  #signIn(use: string, number: number): string {
    const block = Math.floor(number / signedTogether)
    const at = (number % signedTogether) * signatureDigits
    return this.#blockOf(use, block).slice(at, at + signatureDigits)
  }

  /** The signatures of a block of consecutive numbers: signing each alone would cost as much as reading a request. */
  #blockOf(use: string, block: number): string {
    const last = this.#blocks.get(use)
    if (last?.block === block) return last.signatures
    const signatures = createHmac('sha512', this.#key).update(`${use} ${block}`).digest('hex')
    this.#blocks.set(use, { block, signatures })
    return signatures
  }
}

function isSame(given: string, signed: string): boolean {
  return timingSafeEqual(Buffer.from(given), Buffer.from(signed))
}

const restoredSince =
  'The store was restored from a backup that does not have this operation; look at what is there now.'
