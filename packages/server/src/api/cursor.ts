// api/cursor.ts: a position in the paginated history, as opaque text that only this service can read. It
// carries the upper position of the first page and is signed together with its list: a cursor from another
// store or list, or a modified one, is refused.

import { SignedText } from '../platform/signed-text.ts'
import { ApiError } from '../requests/problem.ts'
import type { StoreIdentity } from '../store/store.ts'

export interface HistoryList {
  readonly monitorId: string | null
  readonly incidentId: string | null
  readonly order: 'asc' | 'desc'
}

export interface HistoryPlace {
  /** Later events are not shown. */
  readonly upTo: number
  /** The position of the last event that was returned. */
  readonly after: number
}

export class Cursors {
  readonly #texts: SignedText

  constructor(identity: StoreIdentity) {
    this.#texts = new SignedText('2', identity)
  }

  write({ upTo, after }: HistoryPlace, list: HistoryList): string {
    return this.#texts.write([upTo.toString(36), after.toString(36)], nameOf(list))
  }

  /** Refuses a cursor that this list did not issue; `position` is the committed position now. */
  read(text: string, list: HistoryList, position: number): HistoryPlace {
    const opened = this.#texts.read(text, 2, nameOf(list))
    if ('refused' in opened)
      throw refusal(
        opened.refused === 'other store'
          ? 'was given by another store'
          : 'is not one that this list has given',
      )
    const [upTo = '', after = ''] = opened.parts
    const place = { upTo: Number.parseInt(upTo, 36), after: Number.parseInt(after, 36) }
    // A store restored from a backup keeps its name and key, and may be at an earlier position.
    if (place.upTo <= position) return place
    throw refusal('is not one that this list has given')
  }
}

function nameOf({ order, monitorId, incidentId }: HistoryList) {
  return incidentId === null ? [order, monitorId] : [order, monitorId, incidentId]
}

function refusal(message: string): ApiError {
  return new ApiError('invalid_cursor', `The cursor ${message}; begin again without one.`, [
    { field: 'cursor', message },
  ])
}
