// api/v2/operation-ids.ts: the names of operations. They are numbered, and a name carries its number and a signature: one
// that was given is told from one that was made up, even when the operation is not kept any more.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { StoreIdentity } from '../../store/store.ts'

const bulkForm = /^bulk-([1-9a-z][0-9a-z]{0,10})-([0-9a-f]{16})$/
const form = /^op-([1-9a-z][0-9a-z]{0,10})-([0-9a-f]{16})$/

export class OperationIds {
  readonly #key: Uint8Array
  #last: number

  /** Goes on after the last operation that was stored. */
  constructor({ key }: StoreIdentity, last: number) {
    this.#key = key
    this.#last = last
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
    const text = number.toString(36)
    return `op-${text}-${this.#sign('operation', text)}`
  }

  /** Null for a name that was never given. */
  numberOf(id: string): number | null {
    return this.#read(form, 'operation', id)
  }

  /** Of an operation of many items. Its name says that it is one, also when its record is no longer kept. */
  bulkNameOf(number: number): string {
    const text = number.toString(36)
    return `bulk-${text}-${this.#sign('bulk', text)}`
  }

  /** Null for a name that was never given to an operation of many items. */
  bulkNumberOf(id: string): number | null {
    return this.#read(bulkForm, 'bulk', id)
  }

  #read(form: RegExp, use: string, id: string): number | null {
    const [, text = '', signature = ''] = form.exec(id) ?? []
    const signed = Buffer.from(this.#sign(use, text))
    const given = Buffer.from(signature)
    return given.length === signed.length && timingSafeEqual(given, signed) ? Number.parseInt(text, 36) : null
  }

  #sign(use: string, text: string): string {
    return createHmac('sha256', this.#key).update(`${use} ${text}`).digest('hex').slice(0, 16)
  }
}
