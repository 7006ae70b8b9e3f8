// api/v2/operation-ids.ts: the names of operations. They are numbered, and a name carries its number and a signature: one
// that was given is told from one that was made up, even when the operation is not kept any more. A restored store counts on
// from its backup, so numbers that the lost life gave are given again: each restore begins another signature, and a name
// of the lost life never becomes that of another operation.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { V2Problem } from '../../requests/v2-problem.ts'
import type { Recovered, StoreIdentity } from '../../store/store.ts'

const bulkForm = /^bulk-([1-9a-z][0-9a-z]{0,10})-([0-9a-f]{16})$/
const form = /^op-([1-9a-z][0-9a-z]{0,10})-([0-9a-f]{16})$/

const signatureDigits = 16
/** As many as one digest has room for. */
const signedTogether = 8

export class OperationIds {
  readonly #key: Uint8Array
  readonly #restores: Recovered['restores']
  #last: number
  /** The last block of each use. */
  readonly #blocks = new Map<string, { readonly block: number; readonly signatures: string }>()

  /** Goes on after the last operation that was stored. */
  constructor(
    { key }: StoreIdentity,
    { lastOperation, restores }: Pick<Recovered, 'lastOperation' | 'restores'>,
  ) {
    this.#key = key
    this.#restores = restores
    this.#last = lastOperation
  }

  /** The number of the last one that was given. */
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

  /** Null for a name that was never given. Throws a problem for one of a life that a restore has ended. */
  numberOf(id: string): number | null {
    return this.#read(form, 'operation', id)
  }

  /** Of an operation of many items. Its name says that it is one, also when its record is no longer kept. */
  bulkNameOf(number: number): string {
    return `bulk-${number.toString(36)}-${this.#sign('bulk', number)}`
  }

  /** The same of an operation of many items. */
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

  /** Each restore gave what comes behind the backup another signature. */
  #sign(use: string, number: number): string {
    const life = this.#restores.findLastIndex(({ lastOperation }) => number > lastOperation)
    return this.#signIn(this.#useIn(use, life), number)
  }

  /** -1: the life before the first restore. */
  #useIn(use: string, life: number): string {
    const epoch = this.#restores[life]?.epoch
    return epoch === undefined ? use : `${use} ${epoch}`
  }

  #signIn(use: string, number: number): string {
    const block = Math.floor(number / signedTogether)
    const at = (number % signedTogether) * signatureDigits
    return this.#blockOf(use, block).slice(at, at + signatureDigits)
  }

  /** The signatures of the numbers that follow each other: signing each would cost as much as reading a request. */
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
