// api/v2/list-cursor.ts: where the next page of a v2 list begins, as opaque text. It pins the pagination to
// one committed position. It is valid for five minutes, for the principal that received it, and for the same
// list with the same limit and filters. The same cursor always means the same page.
//
// Its age is the larger of what the two clocks say. The wall clock may be set back, and then the monotonic
// clock is right; the monotonic clock stops while the machine is suspended and restarts with every process.
// For a cursor of the previous process only the wall clock counts, and a cursor from the future is expired.
// So no clock change extends the life of a cursor.
import { randomBytes } from 'node:crypto'
import { v2 } from '@pulseward/contract'
import type { Clock } from '../../platform/clock.ts'
import { SignedText } from '../../platform/signed-text.ts'
import { V2Problem } from '../../requests/v2-problem.ts'
import type { StoreIdentity } from '../../store/store.ts'

/** The context that a cursor is valid for. */
export interface CursorUse {
  /** The digest of the principal's token: with a new token, pagination starts over. */
  readonly principal: string
  readonly operation: v2.OperationName
  readonly limit: number
  readonly selector: v2.Selector
  readonly monitorID: string | null
  readonly state: string | null
  /** For a list inside another resource, such as the items of an operation: its id. */
  readonly within?: string
}

export interface ListPosition {
  /** The epoch of the store: a restored store has a new one, and its positions mean other content. */
  readonly epoch: string
  /** The committed position that all pages read. */
  readonly position: number
}

export interface ListPlace extends ListPosition {
  /** The id of the last row that was returned. */
  readonly after: string
}

const lifetimeMs = v2.limits.cursorLifetimeSeconds * 1_000
const partCount = 6
const thisProcess = randomBytes(6).toString('base64url')

export class ListCursors {
  readonly #texts: SignedText
  readonly #clock: Clock
  readonly #process: string

  constructor(identity: StoreIdentity, clock: Clock, process = thisProcess) {
    this.#texts = new SignedText('3', identity)
    this.#clock = clock
    this.#process = process
  }

  write({ epoch, position, after }: ListPlace, use: CursorUse): string {
    const parts = [
      this.#process,
      Math.floor(this.#clock.wallMs()).toString(36),
      Math.floor(this.#clock.monotonicMs()).toString(36),
      Buffer.from(epoch).toString('base64url'),
      position.toString(36),
      Buffer.from(after).toString('base64url'),
    ]
    return this.#texts.write(parts, useParts(use))
  }

  /** Refuses a cursor that this list did not issue, or that has expired. `now` is the store's current position. */
  read(text: string, use: CursorUse, now: ListPosition): ListPlace {
    const opened = this.#texts.read(text, partCount, useParts(use))
    if ('refused' in opened)
      throw opened.refused === 'other store'
        ? invalid('was given by another store')
        : invalid('is not one that this principal got for this list, limit and filter')
    const [process = '', wall = '', monotonic = '', epoch = '', position = '', after = ''] = opened.parts
    const wallAgeMs = this.#clock.wallMs() - Number.parseInt(wall, 36)
    const isOfThisProcess = process === this.#process
    const ageMs = isOfThisProcess
      ? Math.max(wallAgeMs, this.#clock.monotonicMs() - Number.parseInt(monotonic, 36))
      : wallAgeMs
    const place = { epoch: decoded(epoch), position: Number.parseInt(position, 36), after: decoded(after) }
    if (place.epoch !== now.epoch) throw expired('was given before the store was restored')
    if (ageMs < 0 || ageMs > lifetimeMs)
      throw expired(`is older than ${v2.limits.cursorLifetimeSeconds / 60} minutes`)
    if (place.position > now.position) throw invalid('is beyond what was committed')
    return place
  }
}

function useParts(use: CursorUse): unknown[] {
  const { principal, operation, limit, selector, monitorID, state, within } = use
  return [principal, operation, limit, v2.selectorText(selector), monitorID, state, within ?? null]
}

function decoded(part: string): string {
  return Buffer.from(part, 'base64url').toString('utf8')
}

function invalid(message: string): V2Problem {
  return new V2Problem('invalidCursor', `The cursor ${message}. Begin again without one.`, {
    errors: [{ field: 'cursor', reason: 'foreign', message }],
  })
}

function expired(message: string): V2Problem {
  return new V2Problem('cursorExpired', `The cursor ${message}. Begin again without one.`, {
    errors: [{ field: 'cursor', reason: 'expired', message }],
  })
}
