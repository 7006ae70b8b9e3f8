// engine/apply-fleet-changes.ts: what a changed configuration means: who is new, who left, whose check, recovery or
// destinations are others now. Everything it decides goes into the journal of the same turn.
import type { Ledger } from '../deciding/actions/ledger.ts'
import type { LedgerSettings } from '../deciding/actions/parts.ts'
import { Routing } from '../deciding/actions/routing.ts'
import { type Arrangement, changedParts } from '../fleet/arrangement.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { LoadedArrangement } from '../fleet/load-arrangement.ts'
import type { Consequences } from '../deciding/consequences.ts'
import type { DependencyGraph } from '../deciding/dependency-graph.ts'
import { destinationsOf } from '../acting/destinations.ts'
import type { HealthKeeper } from '../deciding/health-table.ts'
import type { Identities } from '../persistence/identities.ts'
import type { Journal } from './journal.ts'
import type { MonitorRules } from '../deciding/monitor-rules.ts'
import type { Reminders } from '../deciding/reminders.ts'
import type { ServiceTime } from './service-time.ts'

export interface FleetFollowerOptions {
  readonly fleet: Fleet
  readonly keeper: HealthKeeper
  readonly identities: Identities
  readonly rules: MonitorRules
  readonly dependencies: DependencyGraph
  readonly ledger: Ledger
  readonly journal: Journal
  readonly consequences: Consequences
  readonly reminders: Reminders
  readonly time: ServiceTime
  readonly ledgerSettings: LedgerSettings
}

export class FleetFollower {
  readonly #options: FleetFollowerOptions

  constructor(options: FleetFollowerOptions) {
    this.#options = options
  }

  /** The first fleet; who its monitors are is for the caller to find out. */
  begin(loaded: LoadedArrangement): void {
    this.#options.fleet.apply(loaded.arrangement)
    this.#reconfigure(loaded)
  }

  follow(loaded: LoadedArrangement): void {
    const { arrangement } = loaded
    for (const slot of arrangement.removed) this.#dismiss(slot)
    this.begin(loaded)
    this.admitAll(arrangement)
    this.#applyChanges(arrangement)
  }

  admitAll({ added }: Arrangement): void {
    const { fleet, identities, keeper } = this.#options
    for (const slot of added) {
      identities.admit(slot)
      if (!fleet.policyOf(slot).enabled) keeper.follow(slot, false)
    }
  }

  #reconfigure({ arrangement, credentials }: LoadedArrangement): void {
    const { rules, dependencies, identities, consequences, ledger, ledgerSettings, time } = this.#options
    rules.fleetChanged()
    dependencies.rebuild()
    identities.fleetChanged()
    consequences.route(new Routing(arrangement.definition))
    const destinations = destinationsOf(arrangement.definition, credentials)
    consequences.ofDecision(ledger.reconfigure(destinations, ledgerSettings, time.now()))
  }

  /** The fleet still holds the monitor. */
  #dismiss(slot: number): void {
    const { fleet, keeper, identities, journal, consequences, reminders, time } = this.#options
    const monitorId = fleet.idOf(slot)
    keeper.apply(slot, { kind: 'removed' })
    const identity = identities.dismiss(slot, time.now())
    journal.keepIdentity(identity)
    journal.keepState(identity.numericId, null)
    consequences.forget(slot, monitorId)
    keeper.forget(slot)
    reminders.forget(slot)
  }

  #applyChanges({ changed, changedBits }: Arrangement): void {
    const { fleet, identities, keeper } = this.#options
    for (const [index, slot] of changed.entries()) {
      const parts = changedBits[index]!
      if ((parts & ~changedParts.description) === 0) continue
      identities.revise(slot)
      const check = (parts & changedParts.check) !== 0
      const recovery = (parts & changedParts.recovery) !== 0
      if (check || recovery) keeper.configurationChanged(slot, { check, recovery })
      if (parts & changedParts.policy) keeper.follow(slot, fleet.policyOf(slot).enabled)
    }
  }
}
