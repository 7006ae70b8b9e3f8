// api/v2/list-cursor.ts: where the next page of a v2 list begins, as opaque text. It pins the pagination to one committed
// position, and it is good for five minutes, for the principal that got it, and for the same list with the same limit and
// filters. The same cursor always means the same page.
//
// Its age is what the clock says that says more. The wall clock may be set back, and then the monotonic one knows better;
// that one stands still while the machine is suspended and begins anew with every process. Of a cursor that the previous
// process gave, only the wall clock tells the age, and one that seems to come from the future is too old. So no clock
// makes a cursor live on.
import { randomBytes } from 'node:crypto'
import { v2 } from '@pulseward/contract'
import type { Clock } from '../../platform/clock.ts'
import { V2Problem } from '../../requests/v2-problem.ts'
import type { StoreIdentity } from '../../store/store.ts'
import { SignedText } from '../signed-text.ts'

/** What a cursor cannot be used apart from. */
export interface CursorUse {
  /** The digest of the principal's token: a new token begins anew. */
  readonly principal: string
  readonly operation: v2.OperationName
  readonly limit: number
  readonly selector: v2.Selector
  readonly monitorID: string | null
  readonly state: string | null
  /** Of what belongs to one thing, such as the items of an operation: its id. */
  readonly within?: string
}

export interface ListPosition {
  /** Of the store: a restored one has another, and its positions mean other content. */
  readonly epoch: string
  /** The committed position that all pages read. */
  readonly position: number
}

export interface ListPlace extends ListPosition {
  /** The id of the last row that was given. */
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

  /** Refuses what this list has not given, and what is too old. `now` is how far the store has come. */
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
