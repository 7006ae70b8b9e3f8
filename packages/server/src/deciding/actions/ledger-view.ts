// deciding/actions/ledger-view.ts: read-only access to the ledger.
import type { Instant } from '../health/health.ts'
import type { Color } from '../health/step.ts'
import type { Action, ActionKind } from './action.ts'
import type { WaitReason } from './action-queues.ts'
import type { DestinationRecord, DestinationView } from './destination.ts'
import { carriedContents, type DigestContents, digestContents } from './digest.ts'
import type { LedgerParts } from './ledger-parts.ts'

export class LedgerView {
  readonly #parts: LedgerParts

  constructor(parts: LedgerParts) {
    this.#parts = parts
  }

  /** The highest color with a queued or started action. */
  pendingColorOf(monitorId: string): Color | null {
    return this.#parts.table.find(monitorId)?.pendingColor ?? null
  }

  activeColorsOf(monitorId: string): readonly Color[] {
    return this.#parts.table.find(monitorId)?.activeColors() ?? []
  }

  /** Null asks for the digests and the pages. */
  openActionsOf(monitorId: string | null): Action[] {
    const { table } = this.#parts
    const owners = monitorId === null ? [table.digests, table.pages] : [table.find(monitorId)]
    return owners.flatMap((owner) => owner?.openActions.map(({ action }) => action) ?? [])
  }

  /** The action whose state changed last; null if the ledger no longer keeps anything about the monitor. */
  lastActionOf(monitorId: string): Action | null {
    return this.#parts.table.find(monitorId)?.lastAction ?? null
  }

  /** Whether the destinations that were told about the monitor's last trouble are known. */
  isToldKnown(monitorId: string): boolean {
    return this.#parts.table.find(monitorId)?.isToldKnown ?? true
  }

  unknownActionsOf(monitorId: string): { readonly all: number; readonly interventions: number } {
    const monitor = this.#parts.table.find(monitorId)
    return { all: monitor?.unknownActions ?? 0, interventions: monitor?.unknownInterventions ?? 0 }
  }

  /** How many monitors have each pending color. */
  get monitorsByColor(): Readonly<Record<Color, number>> {
    return this.#parts.table.monitorsByColor
  }

  get unknownActions(): number {
    return this.#parts.table.unknownActions
  }

  /** The first `atMost` of them. */
  firstUnknown(atMost: number): Action[] {
    return [...Iterator.from(this.#parts.table.unknown()).take(atMost)]
  }

  /** Null if its outcome is known, was settled by a review, or is older than history. */
  unknownAction(actionId: string): Action | null {
    return this.#parts.table.unknownAction(actionId) ?? null
  }

  /** The monitor's last intervention with an unknown outcome; null if there is none, or if it was reviewed. */
  lastUnknownInterventionOf(monitorId: string): string | null {
    return this.#parts.table.find(monitorId)?.lastUnknownIntervention ?? null
  }

  /** Why a queued action waits; null if it is not queued. */
  waitOf(actionId: string, now: Instant): WaitReason | null {
    const open = this.#parts.table.openAction(actionId)
    return open?.action.state === 'queued' ? this.#parts.queues.waitOf(open, now) : null
  }

  /** When the oldest queued action was queued; null if none is queued. */
  oldestQueuedAt(kind: ActionKind): Instant | null {
    for (const { action } of this.#parts.table.openActions())
      if (action.kind === kind && action.state === 'queued') return action.queuedAt
    return null
  }

  get queuedInterventions(): number {
    return this.#parts.queues.interventions.queued
  }

  get queuedNotifications(): number {
    let queued = 0
    for (const queue of this.#parts.queues.destinations()) queued += queue.queued
    return queued
  }

  interventions(now: Instant): { readonly queued: number; readonly heldByBudget: number } {
    const { interventions } = this.#parts.queues
    return { queued: interventions.queued, heldByBudget: interventions.heldByBudget(now) }
  }

  destinations(now: Instant): DestinationView[] {
    return this.#parts.queues.views(now)
  }

  /** Whether the destination's provider keeps alerts itself. */
  keepsAlerts(endpoint: string): boolean {
    return this.#parts.queues.of(endpoint)?.destination.keepsAlerts ?? false
  }

  /** Whether the end of a page is queued for an endpoint, or in flight to it. */
  isEndOnItsWay(pageId: string, endpoint: string): boolean {
    return this.#parts.table.pages.openActions.some(
      ({ action }) =>
        action.page?.page === pageId && action.page.stage === 'ended' && action.endpoint === endpoint,
    )
  }

  /** To be stored for the next process. */
  destinationRecords(): DestinationRecord[] {
    return this.#parts.queues.records()
  }

  /** What a digest that starts at this instant tells its destination; null if there is nothing to tell. */
  digestOf(endpoint: string, startedAt: Instant): DigestContents | null {
    return digestContents(this.#parts, endpoint, startedAt)
  }

  /** Totals of the untold incidents that a started green reports; null if there are none. */
  carriedBy(actionId: string, now: Instant): ReturnType<typeof carriedContents> {
    return carriedContents(this.#parts.table.openAction(actionId)?.carries ?? [], now)
  }
}
