// deciding/actions/apply-step.ts: what a step of a monitor's health means for its actions: effects in their order, then what
// the ledger has to know of the state that the monitor is in now.
import type { Health } from '../health/health.ts'
import type { Color, Effect, Notify, Step } from '../health/step.ts'
import type { CancelOutcome } from './action.ts'
import type { Page } from './books.ts'
import type { MonitorBook } from './monitor-book.ts'
import type { LedgerParts } from './parts.ts'

/** The colors of which a green tells the end. */
const troubles = ['red', 'yellow', 'cyan'] as const

/** One step of one monitor's health. */
export interface MonitorStep {
  readonly monitorId: string
  readonly before: Health
  readonly step: Step
  /** Names of the destinations that a color of this monitor goes to, each once. */
  readonly destinationsOf: (color: Color) => readonly string[]
}

export function applyStep(parts: LedgerParts, page: Page, monitorStep: MonitorStep): void {
  const { before, step } = monitorStep
  closeIncident(parts, page, before, step.state)
  const episodeId = takesOverWarning(before, step.state)
  if (episodeId !== null) parts.desk.handOverWarning(page, before, episodeId)
  for (const effect of step.effects) carryOut(parts, page, effect, monitorStep)
  if (endsUnannounced(monitorStep)) payOwedGreens(parts, page, monitorStep)
  observe(page.book, before, step.state)
  parts.selection.release(page.book)
}

/** Queued interventions and codes alike. */
export function cancelAll(parts: LedgerParts, page: Page, outcome: 'disabled' | 'removed'): void {
  const { desk, untold } = parts
  cancelInterventions(parts, page, outcome)
  desk.withdraw(page, () => true, outcome)
  if (outcome === 'removed') {
    page.book.forgetOwedGreens()
    for (const incident of page.book.untold) untold.settle(page.draft, incident)
  }
  resolveAlerts(parts, page)
}

/** Providers that keep alerts would keep them for ever: they are told the end also of what nobody watches any more. */
function resolveAlerts({ desk, selection }: LedgerParts, page: Page): void {
  const { book } = page
  if (book.isQuiet) return
  const keepers = [...selection.lanes()].flatMap(({ destination: { name, keepsAlerts } }) =>
    keepsAlerts && (book.toldTo?.includes(name) ?? true) ? [name] : [],
  )
  desk.send(page, 'green', { cause: 'episode', episodeId: null, incidentId: null, since: null }, keepers)
}

function carryOut(parts: LedgerParts, page: Page, effect: Effect, monitorStep: MonitorStep): void {
  switch (effect.kind) {
    case 'notify':
      return tell(parts, page, effect, monitorStep)
    case 'episode-began':
      return parts.desk.withdraw(page, ({ color }) => color === 'green', 'superseded')
    case 'queue-intervention':
      return parts.books.queue(page, {
        id: effect.actionId,
        kind: 'intervention',
        color: null,
        cause: null,
        endpoint: null,
        episodeId: effect.episodeId,
        incidentId: effect.incidentId,
        since: null,
        attempt: 1,
        triedSince: null,
        notBefore: page.now,
      })
    case 'cancel-interventions':
      return cancelInterventions(parts, page, effect.outcome)
    case 'cancel-queued-actions':
      return cancelAll(parts, page, effect.outcome)
  }
}

function tell({ desk }: LedgerParts, page: Page, notify: Notify, monitorStep: MonitorStep): void {
  const { before, step, destinationsOf } = monitorStep
  const { color, cause, episodeId, incidentId, since } = notify
  desk.supersede(page, notify, before.warning !== null && step.state.warning !== null)
  const configured = destinationsOf(color)
  const tellsTroubles = (endpoint: string) =>
    troubles.some((trouble) => destinationsOf(trouble).includes(endpoint))
  const destinations =
    color === 'green' ? desk.greenDestinations(page, notify, before, configured, tellsTroubles) : configured
  desk.send(page, color, { cause, episodeId, incidentId, since }, destinations)
}

function cancelInterventions({ books }: LedgerParts, page: Page, outcome: CancelOutcome): void {
  for (const line of page.book.lines) {
    const { kind, state } = line.action
    if (kind === 'intervention' && state === 'queued') books.cancel(page, line, outcome)
  }
}

// A suppressed episode sends no green of its own, but its beginning has cancelled the green of the last one.
function payOwedGreens({ desk }: LedgerParts, page: Page, { before, destinationsOf }: MonitorStep): void {
  const owed = destinationsOf('green').filter((endpoint) => page.book.owesGreen(endpoint))
  desk.send(
    page,
    'green',
    { cause: 'episode', episodeId: before.episode!.id, incidentId: null, since: null },
    owed,
  )
}

function endsUnannounced({ before, step }: MonitorStep): boolean {
  const hasEnded = before.episode !== null && step.state.episode === null
  return hasEnded && !before.episode.announced && step.state.lifecycle === 'enabled'
}

/** The episode during which, or with which, the warning ended. */
function takesOverWarning(before: Health, after: Health): string | null {
  const hasFallen = before.warning !== null && after.warning === null
  return hasFallen ? (before.episode?.id ?? after.episode?.id ?? null) : null
}

/** Before the effects: a red that they cancel leaves an incident behind that is over. */
function closeIncident({ untold }: LedgerParts, page: Page, before: Health, after: Health): void {
  const incident = before.episode?.incident ?? null
  if (incident === null || incident.id === after.episode?.incident?.id) return
  const { book, draft, now } = page
  book.openIncidentId = null
  book.closedIncident = { id: incident.id, at: now }
  for (const one of book.untold) {
    if (one.action.incidentId !== incident.id) continue
    // What happens in maintenance is expected.
    if (after.maintenance !== null) untold.settle(draft, one)
    else untold.amend(draft, one, { since: one.action.untold!.since ?? now, to: now })
  }
}

function observe(book: MonitorBook, before: Health, after: Health): void {
  book.openIncidentId = after.episode?.incident?.id ?? null
  book.inMaintenance = after.maintenance !== null
  book.isQuiet = after.episode === null && after.warning === null
  if (before.warning === null || after.warning === null) book.forgetWarning()
  // Only what this run has seen itself: an instant of another run says nothing here.
  const lastFailureAt = after.episode?.lastFailureAt ?? null
  const isNew = lastFailureAt !== null && lastFailureAt !== (before.episode?.lastFailureAt ?? null)
  if (isNew) book.lastFailureAt = lastFailureAt
}
