// deciding/actions/ledger-view.ts: what the ledger shows of itself. Reading changes nothing.
import type { Instant } from '../health/health.ts'
import type { Color } from '../health/step.ts'
import type { Action, ActionKind } from './action.ts'
import type { DestinationRecord, DestinationView } from './destination.ts'
import { carriedContents, type DigestContents, digestContents } from './digest.ts'
import type { LedgerParts } from './parts.ts'
import type { WaitReason } from './selection.ts'

export class LedgerView {
  readonly #parts: LedgerParts

  constructor(parts: LedgerParts) {
    this.#parts = parts
  }

  /** The highest color with a queued or started action. */
  pendingCodeOf(monitorId: string): Color | null {
    return this.#parts.books.bookOf(monitorId)?.pendingCode ?? null
  }

  activeCodesOf(monitorId: string): readonly Color[] {
    return this.#parts.books.bookOf(monitorId)?.activeCodes() ?? []
  }

  /** Of no monitor: the digests. */
  openActionsOf(monitorId: string | null): Action[] {
    const { books } = this.#parts
    const book = monitorId === null ? books.digests : books.bookOf(monitorId)
    return book?.lines.map(({ action }) => action) ?? []
  }

  /** The one whose state changed last, of a monitor that the ledger still keeps something of. */
  lastActionOf(monitorId: string): Action | null {
    return this.#parts.books.bookOf(monitorId)?.lastAction ?? null
  }

  unknownActionsOf(monitorId: string): { readonly all: number; readonly interventions: number } {
    const book = this.#parts.books.bookOf(monitorId)
    return { all: book?.unknownActions ?? 0, interventions: book?.unknownInterventions ?? 0 }
  }

  /** How many monitors have which pending code. */
  get monitorsByCode(): Readonly<Record<Color, number>> {
    return this.#parts.books.monitorsByCode
  }

  get unknownActions(): number {
    return this.#parts.books.unknownActions
  }

  /** Why a queued action has not started; null when it is not queued. */
  waitOf(actionId: string, now: Instant): WaitReason | null {
    const line = this.#parts.books.lineOf(actionId)
    return line?.action.state === 'queued' ? this.#parts.selection.waitOf(line, now) : null
  }

  /** When the first action in line was queued; null when none is. */
  oldestQueuedAt(kind: ActionKind): Instant | null {
    for (const { action } of this.#parts.books.lines())
      if (action.kind === kind && action.state === 'queued') return action.queuedAt
    return null
  }

  get queuedInterventions(): number {
    return this.#parts.selection.interventions.queued
  }

  interventions(now: Instant): { readonly queued: number; readonly heldByBudget: number } {
    const { interventions } = this.#parts.selection
    return { queued: interventions.queued, heldByBudget: interventions.heldByBudget(now) }
  }

  destinations(now: Instant): DestinationView[] {
    return this.#parts.selection.views(now)
  }

  /** To be kept for the next process. */
  destinationRecords(): DestinationRecord[] {
    return this.#parts.selection.records()
  }

  /** What a digest that starts then tells; null when there is nothing to tell. */
  digestOf(endpoint: string, startedAt: Instant): DigestContents | null {
    return digestContents(this.#parts, endpoint, startedAt)
  }

  /** What a started green tells besides; null when there is nothing. */
  carriedBy(actionId: string, now: Instant): ReturnType<typeof carriedContents> {
    return carriedContents(this.#parts.books.lineOf(actionId)?.carries ?? [], now)
  }
}
