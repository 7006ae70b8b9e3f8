// persistence/restore-from-store.ts: how a process continues with what the previous one left in the store: the number and
// the state of each monitor, and its queued actions. Actions that were in flight end as unknown; incidents of monitors
// that are no longer in the fleet are closed. All of it is decided in one turn, which is stored before the first check.
import { jobOf } from '../config/external-driver.ts'
import type { Action } from '../deciding/actions/action.ts'
import type { ExternalStarts } from '../deciding/actions/restore-ledger.ts'
import type { Decider } from '../deciding/decide.ts'
import { loggedEvent } from '../deciding/decision.ts'
import type { Health } from '../deciding/health/health.ts'
import { onRemoved } from '../deciding/health/on-lifecycle.ts'
import type { HealthTable } from '../deciding/health-table.ts'
import type { Turn } from '../deciding/turn.ts'
import { statusNumber } from '../fleet/columns.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { ServiceTime } from '../platform/service-time.ts'
import { forgetBefore } from '../store/retention-clock.ts'
import type { Recovered, StoredIdentity } from '../store/store.ts'
import type { Checkpoints } from './checkpoints.ts'
import { decodeBlock } from './counter-block.ts'
import type { Identities } from './identities.ts'
import type { Journal } from './journal.ts'
import { mostUnseen, type Revisions, type Unseen } from './revisions.ts'
import type { TrendRecorder } from './trend-recorder.ts'

export interface RestoreParts {
  readonly fleet: Fleet
  readonly time: ServiceTime
  readonly identities: Identities
  readonly health: HealthTable
  readonly decider: Decider
  readonly journal: Journal
  readonly checkpoints: Checkpoints
  readonly trends: TrendRecorder
  readonly revisions: Revisions
  /** The recovered actions are complete for this long before now. */
  readonly recentActionsMs: number
}

interface Changes {
  readonly check: boolean
  readonly recovery: boolean
}

/** What was recovered, and which monitors of the fleet it belongs to. */
export interface RecognisedMonitors {
  readonly recovered: Recovered
  readonly states: ReadonlyMap<number, Health>
  /** Stored states by monitor id, for the ledger. */
  readonly healths: ReadonlyMap<string, Health>
  readonly changed: ReadonlyMap<number, Changes>
  readonly vanished: readonly StoredIdentity[]
  /** Rows of monitors that had left, and were added again while no process was running. */
  readonly returned: ReadonlySet<number>
  readonly rowOf: (monitorId: string) => number
  /** What is not as the previous process left it. */
  readonly unseen: Unseen
}

/** Assigns every monitor its number. The fleet must already have its first arrangement. */
export async function recogniseMonitors(
  { fleet, identities, journal, time }: RestoreParts,
  recovered: Recovered,
): Promise<RecognisedMonitors> {
  journal.continueFrom(recovered)
  identities.continueFrom(recovered.highestNumericId)
  const states = new Map(recovered.states.map(({ numericId, health }) => [numericId, health]))
  const healths = new Map<string, Health>()
  const changed = new Map<number, Changes>()
  const vanished: StoredIdentity[] = []
  const returned = new Set<number>()
  const rowOf = (monitorId: string) => fleet.rowOf(monitorId)
  const isKnown = new Uint8Array(fleet.rows)
  const [unseen, added]: [string[], string[]] = [[], []]
  // Of very many, that there are so many is enough.
  const note = (ids: string[], id: string) => void (ids.length <= mostUnseen && ids.push(id))
  const forgottenBefore = forgetBefore(recovered.retention, time.now()) ?? Number.NEGATIVE_INFINITY
  for await (const chunk of recovered.identities) {
    for (const identity of chunk) {
      const row = rowOf(identity.monitorId)
      if (row >= 0) {
        isKnown[row] = 1
        const changes = identities.recognise(row, identity)
        if (identity.removedAt !== null) {
          returned.add(row)
          note(added, identity.monitorId)
        } else if (changes.some) note(unseen, identity.monitorId)
        if (changes.check || changes.recovery) changed.set(row, changes)
        const stored = states.get(identity.numericId)
        if (stored !== undefined) healths.set(identity.monitorId, stored)
      } else if (identity.removedAt === null) {
        vanished.push(identity)
        note(unseen, identity.monitorId)
      } else if (identity.removedAt >= forgottenBefore) identities.depart(identity)
    }
  }
  for (const row of fleet.rowsInUse()) {
    if (isKnown[row] === 1) continue
    identities.admit(row)
    note(added, fleet.idOf(row))
  }
  return {
    recovered,
    states,
    healths,
    changed,
    vanished,
    returned,
    rowOf,
    unseen: { changed: unseen, added },
  }
}

export function restoreFromStore(parts: RestoreParts, turn: Turn, known: RecognisedMonitors): void {
  const { decider, identities, recentActionsMs } = parts
  const { recovered, healths, vanished, rowOf } = known
  restoreColumns(parts, known)
  restoreStates(parts, known)
  for (const monitorId of monitorsOf(recovered.actions)) {
    const row = rowOf(monitorId)
    if (row >= 0) decider.bind(monitorId, row)
  }
  // Events also name the numbers of monitors that are gone, so these have to be known first.
  for (const identity of vanished) identities.depart(identity)
  turn.decide({
    kind: 'records',
    records: {
      actions: recovered.actions,
      completeSince: turn.now - recentActionsMs,
      healths,
      destinations: recovered.destinations,
      restoredFrom: recovered.restoredFrom,
      external: externalStarts(parts, recovered, rowOf),
    },
    escalations: recovered.escalations,
  })
  for (const identity of vanished) close(parts, turn, known, identity)
  applyWhatChanged(parts, turn, known)
  parts.revisions.begin(turn.now, known.unseen)
}

/** A monitor that left and came back does not get its old counters. */
function restoreColumns(
  { fleet, identities, time, checkpoints, trends }: RestoreParts,
  { recovered, returned }: RecognisedMonitors,
): void {
  const { columns } = fleet
  const now = time.now()
  const rowOf = (numericId: number) => {
    const row = identities.rowOf(numericId)
    return returned.has(row) ? -1 : row
  }
  for (const { block, bytes } of recovered.blocks) decodeBlock(block, bytes, rowOf, columns)
  checkpoints.writeBlocksOf([...returned])
  trends.restore(recovered.trends)
  for (const row of fleet.rowsInUse()) {
    fleet.showSamples(row, columns.healthySamples[row]!, columns.totalSamples[row]!)
    // Otherwise a clock that was ahead would make a parent seem checked after its child failed.
    if (columns.lastCheck[row]! > now) columns.lastCheck[row] = now
    if (columns.lastSuccess[row]! > now) columns.lastSuccess[row] = now
  }
}

/** A monitor that was checked and has no stored state was quiet. */
function restoreStates(
  { fleet, identities, health }: RestoreParts,
  { states, changed }: RecognisedMonitors,
): void {
  for (const row of fleet.rowsInUse()) {
    const stored = states.get(identities.numberOf(row)) ?? null
    const wasChecked = !Number.isNaN(fleet.columns.lastCheck[row])
    if (stored !== null || wasChecked) health.restore(row, stored, changed.get(row)?.check ?? false)
  }
}

/** The monitor left the fleet while no process was running. */
function close(
  { journal, identities }: RestoreParts,
  turn: Turn,
  { states }: RecognisedMonitors,
  identity: StoredIdentity,
): void {
  const { monitorId, numericId, revision } = identity
  const stored = states.get(numericId)
  const controlsBefore = stored?.control?.revision ?? (identity.controlsBefore ?? 0) + 1
  const departed = { ...identity, removedAt: turn.now, controlsBefore }
  identities.depart(departed)
  journal.keep('identities', departed)
  if (stored !== undefined) {
    journal.keepState(numericId, null)
    for (const event of onRemoved(stored, turn.now).events)
      journal.addEvent({ ...loggedEvent(monitorId, event), numericId, revision })
  }
  turn.decide({ kind: 'monitor-gone', monitorId })
}

function applyWhatChanged(
  { fleet, health, identities }: RestoreParts,
  turn: Turn,
  { recovered, states, changed }: RecognisedMonitors,
): void {
  const isLatest = recovered.restoredFrom === null
  const running = new Set(isLatest ? recovered.executions.map(({ id }) => id) : [])
  for (const numericId of states.keys()) {
    const row = identities.rowOf(numericId)
    if (row < 0) continue
    const { intervention } = health.of(row)
    const interventionRuns = intervention !== null && running.has(intervention.actionId)
    turn.decide({ kind: 'monitor', row, input: { kind: 'restarted', interventionRuns } })
  }
  for (const [row, changes] of changed)
    turn.decide({ kind: 'monitor', row, input: { kind: 'configuration-changed', ...changes } })
  for (const row of fleet.rowsInUse()) {
    const { enabled } = fleet.policyOf(row)
    const mayDiffer = !enabled || fleet.columns.status[row] === statusNumber.disabled
    if (mayDiffer && enabled !== (health.of(row).lifecycle === 'enabled'))
      turn.decide({ kind: 'monitor', row, input: { kind: enabled ? 'enabled' : 'disabled' } })
  }
}

/** Whether an action was for workers is derived from the current fleet. If that has changed, the outcome is unknown. */
function externalStarts(
  { fleet }: RestoreParts,
  { executions }: Recovered,
  rowOf: (monitorId: string) => number,
): ExternalStarts {
  const granted = new Set(executions.map(({ id }) => id))
  return {
    isGranted: (actionId) => granted.has(actionId),
    isExternal({ id, endpoint, monitorId }) {
      if (granted.has(id)) return true
      const row = monitorId === null ? -1 : rowOf(monitorId)
      const recovery = row < 0 ? null : fleet.recoveryOf(row)
      const driver = endpoint === null ? recovery : (fleet.definition.endpoints.get(endpoint) ?? null)
      return driver !== null && jobOf(driver) !== null
    },
  }
}

function monitorsOf(actions: readonly Action[]): Set<string> {
  return new Set(actions.flatMap(({ monitorId }) => monitorId ?? []))
}
