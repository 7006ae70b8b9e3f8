// engine/apply-fleet-changes.ts: what a changed configuration means: who is new, who left, whose check, recovery or
// destinations are others now. Everything it decides goes into the journal of the same turn.

import { destinationsOf } from '../acting/destinations.ts'
import type { Ledger } from '../deciding/actions/ledger.ts'
import type { LedgerSettings } from '../deciding/actions/parts.ts'
import { Routing } from '../deciding/actions/routing.ts'
import type { Consequences } from '../deciding/consequences.ts'
import type { DependencyGraph } from '../deciding/dependency-graph.ts'
import type { HealthKeeper } from '../deciding/health-table.ts'
import type { MonitorRules } from '../deciding/monitor-rules.ts'
import type { Reminders } from '../deciding/reminders.ts'
import { type Arrangement, changedParts } from '../fleet/arrangement.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { LoadedArrangement } from '../fleet/load-arrangement.ts'
import type { Identities } from '../persistence/identities.ts'
import type { Journal } from './journal.ts'
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
    for (const row of arrangement.removed) this.#dismiss(row)
    this.begin(loaded)
    this.admitAll(arrangement)
    this.#applyChanges(arrangement)
  }

  admitAll({ added }: Arrangement): void {
    const { fleet, identities, keeper } = this.#options
    for (const row of added) {
      identities.admit(row)
      if (!fleet.policyOf(row).enabled) keeper.follow(row, false)
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
  #dismiss(row: number): void {
    const { fleet, keeper, identities, journal, consequences, reminders, time } = this.#options
    const monitorId = fleet.idOf(row)
    keeper.apply(row, { kind: 'removed' })
    const identity = identities.dismiss(row, time.now())
    journal.keepIdentity(identity)
    journal.keepState(identity.numericId, null)
    consequences.forget(row, monitorId)
    keeper.forget(row)
    reminders.forget(row)
  }

  #applyChanges({ changed, changedBits }: Arrangement): void {
    const { fleet, identities, keeper } = this.#options
    for (const [index, row] of changed.entries()) {
      const parts = changedBits[index]!
      if ((parts & ~changedParts.description) === 0) continue
      identities.revise(row)
      const check = (parts & changedParts.check) !== 0
      const recovery = (parts & changedParts.recovery) !== 0
      if (check || recovery) keeper.configurationChanged(row, { check, recovery })
      if (parts & changedParts.policy) keeper.follow(row, fleet.policyOf(row).enabled)
    }
  }
}
