// api/cursor.ts: a position in the paginated history, as text that only the service that made it can read. It names the
// store, carries the upper position of the first page, and is signed with the store's key together with the list that
// it belongs to: a cursor of another store or another list, or one that was changed, is refused.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { StoreIdentity } from '../store/store.ts'
import { ApiError } from './problem.ts'

export interface HistoryList {
  readonly monitorId: string | null
  readonly order: 'asc' | 'desc'
}

export interface HistoryPlace {
  /** Events beyond are not seen. */
  readonly upTo: number
  /** The position of the last event that was given. */
  readonly after: number
}

const form = /^2\.([0-9a-f]{12})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([0-9A-Za-z_-]{22})$/
/** 132 bits. */
const signatureLength = 22

export class Cursors {
  readonly #name: string
  readonly #key: Uint8Array

  constructor({ id, key }: StoreIdentity) {
    this.#name = id.replaceAll('-', '').slice(-12)
    this.#key = key
  }

  write({ upTo, after }: HistoryPlace, list: HistoryList): string {
    const place = `2.${this.#name}.${upTo.toString(36)}.${after.toString(36)}`
    return Buffer.from(`${place}.${this.#sign(place, list)}`).toString('base64url')
  }

  /** Refuses what this list has not given, with the committed position as it is now. */
  read(text: string, list: HistoryList, position: number): HistoryPlace {
    const plain = Buffer.from(text, 'base64url')
    const [, name, upTo = '', after = '', signature = ''] = form.exec(plain.toString('latin1')) ?? []
    // Decoding skips what is not base64url.
    if (name === undefined || plain.toString('base64url') !== text)
      throw refusal('is not one that this list has given')
    if (name !== this.#name) throw refusal('was given by another store')
    const signed = this.#sign(`2.${name}.${upTo}.${after}`, list)
    const isOurs = timingSafeEqual(Buffer.from(signed), Buffer.from(signature))
    const place = { upTo: Number.parseInt(upTo, 36), after: Number.parseInt(after, 36) }
    // A store that was restored from a backup has its name and key, and may not have come this far yet.
    if (isOurs && place.upTo <= position) return place
    throw refusal('is not one that this list has given')
  }

  #sign(place: string, { monitorId, order }: HistoryList): string {
    const text = JSON.stringify([place, order, monitorId])
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, signatureLength)
  }
}

function refusal(message: string): ApiError {
  return new ApiError('invalid_cursor', `The cursor ${message}; begin again without one.`, [
    { field: 'cursor', message },
  ])
}
