// api/cursor.ts: where a pagination of the history stands, as text that only this service reads. It carries the upper
// position of the first page, and which list it belongs to: a cursor of another list is refused.
import { stableHash } from '../platform/string-hash.ts'
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

const form = /^1\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([0-9a-z]{1,7})$/

export function writeCursor({ upTo, after }: HistoryPlace, list: HistoryList): string {
  const place = `1.${upTo.toString(36)}.${after.toString(36)}`
  return Buffer.from(`${place}.${seal(place, list)}`).toString('base64url')
}

/** Refuses what this list has not given, with the committed position as it is now. */
export function readCursor(text: string, list: HistoryList, position: number): HistoryPlace {
  const plain = Buffer.from(text, 'base64url')
  const [, upTo = '', after = '', sealed] = form.exec(plain.toString('latin1')) ?? []
  const place = { upTo: Number.parseInt(upTo, 36), after: Number.parseInt(after, 36) }
  // Decoding skips what is no base64url, and a log that is shorter never had this place.
  const isOurs = sealed === seal(`1.${upTo}.${after}`, list) && plain.toString('base64url') === text
  if (isOurs && place.after <= place.upTo && place.upTo <= position) return place
  throw new ApiError('invalid_cursor', 'The cursor is not one that this list has given.', [
    { field: 'cursor', message: 'is not one that this list has given' },
  ])
}

function seal(place: string, { monitorId, order }: HistoryList): string {
  return stableHash(JSON.stringify([place, order, monitorId])).toString(36)
}
