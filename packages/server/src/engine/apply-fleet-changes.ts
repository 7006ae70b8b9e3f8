// engine/apply-fleet-changes.ts: applies a changed configuration: which monitors are new, which have left, and whose
// check, recovery or destinations changed. All of it is decided in the turn that brings in the fleet.
import { destinationsOf } from '../acting/driver-actions.ts'
import type { Turn } from '../deciding/turn.ts'
import { type Arrangement, changedParts } from '../fleet/arrangement.ts'
import type { LoadedArrangement } from '../fleet/load-arrangement.ts'
import type { EngineParts } from './engine-parts.ts'

export function applyFleetChanges(parts: EngineParts, turn: Turn, loaded: LoadedArrangement): void {
  const { arrangement } = loaded
  for (const row of arrangement.removed) dismiss(parts, turn, row)
  holdFleet(parts, loaded)
  configureDestinations(parts, turn, loaded)
  admitAll(parts, turn, arrangement)
  applyChanges(parts, turn, arrangement)
}

/** From now on every part reads this configuration. */
export function holdFleet(parts: EngineParts, { arrangement, credentials }: LoadedArrangement): void {
  const { fleet, rules, dependencies, identities, decider, actionRunner } = parts
  fleet.apply(arrangement)
  rules.fleetChanged()
  dependencies.rebuild()
  identities.fleetChanged()
  decider.fleetChanged()
  actionRunner.setFleet(arrangement.definition, credentials)
}

export function configureDestinations(
  { ledgerSettings: settings }: EngineParts,
  turn: Turn,
  { arrangement, credentials }: LoadedArrangement,
): void {
  const destinations = destinationsOf(arrangement.definition, credentials)
  turn.decide({ kind: 'destinations', destinations, settings })
}

export function admitAll({ fleet, identities }: EngineParts, turn: Turn, { added }: Arrangement): void {
  for (const row of added) {
    identities.admit(row)
    if (!fleet.policyOf(row).enabled) turn.decide({ kind: 'monitor', row, input: { kind: 'disabled' } })
  }
}

/** Called while the fleet still holds the monitor. */
function dismiss(parts: EngineParts, turn: Turn, row: number): void {
  const { fleet, decider, health, identities, journal, reminders } = parts
  const monitorId = fleet.idOf(row)
  turn.decide({ kind: 'monitor', row, input: { kind: 'removed' } })
  const identity = identities.dismiss(row, turn.now)
  journal.keepIdentity(identity)
  journal.keepState(identity.numericId, null)
  decider.unbind(monitorId, row)
  health.forget(row)
  reminders.forget(row)
}

function applyChanges(parts: EngineParts, turn: Turn, { changed, changedBits }: Arrangement): void {
  const { fleet, health, identities } = parts
  for (const [index, row] of changed.entries()) {
    const bits = changedBits[index]!
    if ((bits & ~changedParts.description) === 0) continue
    identities.revise(row)
    const check = (bits & changedParts.check) !== 0
    const recovery = (bits & changedParts.recovery) !== 0
    if (check || recovery)
      turn.decide({ kind: 'monitor', row, input: { kind: 'configuration-changed', check, recovery } })
    const { enabled } = fleet.policyOf(row)
    const isEnabled = health.of(row).lifecycle === 'enabled'
    if (bits & changedParts.policy && enabled !== isEnabled)
      turn.decide({ kind: 'monitor', row, input: { kind: enabled ? 'enabled' : 'disabled' } })
  }
}
