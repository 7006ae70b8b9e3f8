// engine/apply-fleet-changes.ts: applies a changed configuration: which monitors are new, which have left,
// and whose check, recovery or destinations changed. All of it is decided in the turn that brings in the
// fleet. A whole fleet arrives already arranged; an amendment of single monitors costs only what it changes.
import type { Credentials } from '../config/fleet-file/credentials.ts'
import { isReported } from '../config/push-check.ts'
import { controlRevisionOf } from '../deciding/health/health.ts'
import type { Turn } from '../deciding/turn.ts'
import { type Arrangement, changedParts } from '../fleet/arrangement.ts'
import type { FleetChange } from '../fleet/fleet-change.ts'
import type { LoadedArrangement } from '../fleet/load-arrangement.ts'
import type { EngineParts } from './engine-parts.ts'

export function replaceFleet(parts: EngineParts, turn: Turn, loaded: LoadedArrangement): void {
  const { clock, checks, fleet, maintenance, revisions } = parts
  const { arrangement, credentials } = loaded
  const before = fleet.definition
  for (const row of arrangement.removed) dismiss(parts, turn, row)
  holdFleet(parts, loaded)
  configureDestinations(parts, turn, loaded)
  admitAll(parts, turn, arrangement)
  applyChanges(parts, turn, arrangement)
  revisions.replaced(turn.now, before, arrangement)
  maintenance.fleetChanged(clock.wallMs())
  checks.applyArrangement(arrangement, credentials)
}

/** credentials: null if their values stay as they are. Returns which monitors were added, removed and changed. */
export function amendFleet(
  parts: EngineParts,
  turn: Turn,
  change: FleetChange,
  credentials: Credentials | null,
): Arrangement {
  const { fleet, clock, checks, maintenance, rules, dependencies, identities, decider, silent, revisions } =
    parts
  const formsBefore = revisions.formsBefore(change)
  const before = fleet.definition
  const isIdle = (row: number) => !checks.scheduler.isInFlight(row)
  const arrangement = fleet.amend(change, { isIdle, nowMs: clock.monotonicMs() })
  for (const row of arrangement.removed) dismiss(parts, turn, row)
  fleet.apply(arrangement)
  rules.fleetChanged()
  dependencies.amend([...arrangement.removed, ...rowsWith(arrangement, changedParts.dependencies)])
  identities.fleetChanged()
  if (fleet.definition !== before) decider.fleetChanged()
  silent.amend([...arrangement.added, ...arrangement.changed])
  if (change.head !== null || credentials !== null) {
    parts.inForce.credentials = credentials ?? parts.inForce.credentials
    parts.actionSources.setFleet(fleet.definition, parts.inForce.credentials)
    configureDestinations(parts, turn, { arrangement, ...parts.inForce })
  }
  admitAll(parts, turn, arrangement)
  applyChanges(parts, turn, arrangement)
  revisions.amended(turn.now, formsBefore, arrangement)
  maintenance.amend(rowsWith(arrangement, changedParts.maintenance), clock.wallMs())
  checks.applyAmendment(arrangement, credentials)
  return arrangement
}

/** The same monitors, with their texts moved to other memory. */
export function moveFleet(parts: EngineParts, arrangement: Arrangement): void {
  const { fleet, identities, decider, checks } = parts
  fleet.apply(arrangement)
  identities.fleetChanged()
  decider.fleetChanged()
  checks.applyAmendment(arrangement, null)
}

/** Rows that are new, or in which this part changed. */
function rowsWith({ added, changed, changedBits }: Arrangement, part: number): number[] {
  return [...added, ...changed.filter((_, index) => (changedBits[index]! & part) !== 0)]
}

/** From now on every part reads this configuration. */
export function holdFleet(parts: EngineParts, { arrangement, credentials }: LoadedArrangement): void {
  const { fleet, rules, dependencies, identities, decider, silent, actionSources } = parts
  fleet.apply(arrangement)
  rules.fleetChanged()
  dependencies.rebuild()
  identities.fleetChanged()
  decider.fleetChanged()
  silent.fleetChanged()
  parts.inForce.credentials = credentials
  actionSources.setFleet(arrangement.definition, credentials)
}

export function configureDestinations(
  { ledgerSettings: settings, actionSources }: EngineParts,
  turn: Turn,
  { arrangement, credentials }: Pick<LoadedArrangement, 'arrangement' | 'credentials'>,
): void {
  const destinations = actionSources.destinations(arrangement.definition, credentials)
  turn.decide({ kind: 'destinations', destinations, settings })
}

export function admitAll(
  { fleet, identities, checkpoints, decider, ledger }: EngineParts,
  turn: Turn,
  { added }: Arrangement,
): void {
  const returned: number[] = []
  for (const row of added) {
    if (identities.admit(row)) {
      returned.push(row)
      const monitorId = fleet.idOf(row)
      // Actions started before it left may still end or be reviewed.
      if (ledger.concerns(monitorId)) decider.bind(monitorId, row)
    }
    if (!fleet.policyOf(row).enabled) turn.decide({ kind: 'monitor', row, input: { kind: 'disabled' } })
  }
  checkpoints.writeBlocksOf(returned)
}

/** Called while the monitor is still in the fleet. */
function dismiss(parts: EngineParts, turn: Turn, row: number): void {
  const { fleet, decider, health, identities, journal, reminders, snoozes, trendCells, lastChecks } = parts
  const monitorId = fleet.idOf(row)
  turn.decide({ kind: 'monitor', row, input: { kind: 'removed' } })
  const identity = identities.dismiss(row, turn.now, controlRevisionOf(health.of(row)))
  journal.keep('identities', identity)
  journal.keepState(identity.numericId, null)
  if (isReported(fleet.policyOf(row).type))
    journal.keep('pushes', { numericId: identity.numericId, push: null })
  decider.unbind(monitorId, row)
  health.forget(row)
  reminders.forget(row)
  snoozes.forget(row)
  trendCells.forget(row)
  lastChecks.forget(row)
}

function applyChanges(parts: EngineParts, turn: Turn, { removed, changed, changedBits }: Arrangement): void {
  const { fleet, health, identities, reminders } = parts
  const silent = [...removed]
  for (const [index, row] of changed.entries()) {
    const bits = changedBits[index]!
    if ((bits & ~changedParts.description) === 0) continue
    identities.revise(row)
    const { enabled } = fleet.policyOf(row)
    const isEnabled = health.of(row).lifecycle === 'enabled'
    // First, so that if a monitor is changed and disabled at once, everything queued for it is cancelled as disabled.
    if (bits & changedParts.policy && enabled !== isEnabled)
      turn.decide({ kind: 'monitor', row, input: { kind: enabled ? 'enabled' : 'disabled' } })
    const check = (bits & changedParts.check) !== 0
    const recovery = (bits & changedParts.recovery) !== 0
    if (check || recovery)
      turn.decide({ kind: 'monitor', row, input: { kind: 'configuration-changed', check, recovery } })
    if (!enabled) silent.push(row)
    if (bits & changedParts.dependencies) reminders.parentsChanged(turn, row, (one) => health.of(one))
  }
  // These are no longer checked, so no child needs to wait for them.
  reminders.parentsChecked(turn, Uint32Array.from(silent))
}
