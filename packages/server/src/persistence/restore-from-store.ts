// persistence/restore-from-store.ts: how a run goes on with what another one left in the store: who is who, what state each
// monitor was in, what was queued. What was under way then has an outcome that nobody knows; monitors that are not in
// the fleet any more are closed properly. All of it is one decision, committed before the first check.
import type { Action } from '../deciding/actions/action.ts'
import type { Ledger } from '../deciding/actions/ledger.ts'
import { type Consequences, monitorEvent } from '../deciding/consequences.ts'
import type { Health } from '../deciding/health/health.ts'
import { onRemoved } from '../deciding/health/on-lifecycle.ts'
import type { HealthKeeper } from '../deciding/health-table.ts'
import type { Journal } from '../engine/journal.ts'
import type { ServiceTime } from '../engine/service-time.ts'
import { statusNumber } from '../fleet/columns.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { indexRows, type RowIndex } from '../platform/row-index.ts'
import { forgetBefore } from '../store/retention-clock.ts'
import type { Recovered, StoredIdentity } from '../store/store.ts'
import { decodeBlock } from './counter-block.ts'
import type { Identities } from './identities.ts'

export interface TakeoverOptions {
  readonly fleet: Fleet
  readonly time: ServiceTime
  readonly identities: Identities
  readonly keeper: HealthKeeper
  readonly ledger: Ledger
  readonly journal: Journal
  readonly consequences: Consequences
  /** The recovered actions are complete for this long. */
  readonly recentMs: number
}

interface Changes {
  readonly check: boolean
  readonly recovery: boolean
}

export class Takeover {
  readonly #options: TakeoverOptions
  readonly #states = new Map<number, Health>()
  /** Stored states by identity, for the ledger. */
  readonly #healths = new Map<string, Health>()
  readonly #changed = new Map<number, Changes>()
  readonly #vanished: StoredIdentity[] = []

  constructor(options: TakeoverOptions) {
    this.#options = options
  }

  /** The fleet holds its first arrangement already. */
  async run(recovered: Recovered): Promise<void> {
    const { identities, journal, ledger, consequences, time, recentMs } = this.#options
    const now = time.now()
    journal.continueFrom(recovered.position)
    identities.continueFrom(recovered.highestNumericId)
    for (const { numericId, health } of recovered.states) this.#states.set(numericId, health)
    const rowOf = await this.#recogniseAll(recovered)
    this.#restoreColumns(recovered)
    this.#restoreStates()
    for (const action of recovered.actions) consequences.lastActions.note(action)
    for (const monitorId of monitorsOf(recovered.actions)) {
      const row = rowOf(monitorId)
      if (row >= 0) consequences.bind(monitorId, row)
    }
    const records = {
      actions: recovered.actions,
      completeSince: now - recentMs,
      healths: this.#healths,
      destinations: recovered.destinations,
      restoredFrom: recovered.restoredFrom,
    }
    // Events name the numbers also of monitors that are gone, so these are known before.
    for (const identity of this.#vanished) identities.depart(identity)
    consequences.ofDecision(ledger.restore(records, now))
    for (const monitorId of monitorsOf(recovered.actions)) consequences.showCode(rowOf(monitorId), monitorId)
    for (const identity of this.#vanished) this.#close(identity)
    this.#followChanges()
  }

  /** Numbers for everybody; answers with where to find a monitor by its identity. */
  async #recogniseAll({ identities: chunks, retention }: Recovered): Promise<(monitorId: string) => number> {
    const { fleet, identities, time } = this.#options
    const ids = new PackedReader(fleet.definition.ids)
    const read = (row: number) => ids.get(row)
    // Made when somebody is looked for: a new store knows nobody, and megabytes of index would stay as garbage.
    let index: RowIndex | null = null
    const rowOf = (monitorId: string) => {
      index ??= indexRows(ids, fleet.rows)
      return index.find(monitorId, read)
    }
    const isKnown = new Uint8Array(fleet.rows)
    const forgottenBefore = forgetBefore(retention, time.now()) ?? Number.NEGATIVE_INFINITY
    for await (const chunk of chunks) {
      for (const identity of chunk) {
        const row = rowOf(identity.monitorId)
        if (row >= 0) {
          isKnown[row] = 1
          this.#recognise(row, identity)
        } else if (identity.removedAt === null) this.#vanished.push(identity)
        else if (identity.removedAt >= forgottenBefore) identities.depart(identity)
      }
    }
    for (let row = 0; row < fleet.rows; row++) if (isKnown[row] === 0) identities.admit(row)
    return rowOf
  }

  #recognise(row: number, identity: StoredIdentity): void {
    const changes = this.#options.identities.recognise(row, identity)
    if (changes.check || changes.recovery) this.#changed.set(row, changes)
    const stored = this.#states.get(identity.numericId)
    if (stored !== undefined) this.#healths.set(identity.monitorId, stored)
  }

  #restoreColumns({ blocks }: Recovered): void {
    const { fleet, identities } = this.#options
    const { columns } = fleet
    for (const { block, bytes } of blocks)
      decodeBlock(block, bytes, (numericId) => identities.rowOf(numericId), columns)
    for (let row = 0; row < fleet.rows; row++)
      fleet.showSamples(row, columns.healthySamples[row]!, columns.totalSamples[row]!)
  }

  /** A monitor that was checked and has no state of its own was quiet. */
  #restoreStates(): void {
    const { fleet, identities, keeper } = this.#options
    for (let row = 0; row < fleet.rows; row++) {
      const stored = this.#states.get(identities.numberOf(row)) ?? null
      const wasChecked = !Number.isNaN(fleet.columns.lastCheck[row])
      if (stored !== null || wasChecked) keeper.restore(row, stored, this.#changed.get(row)?.check ?? false)
    }
  }

  /** It left the fleet while nobody watched. */
  #close(identity: StoredIdentity): void {
    const { journal, identities, ledger, consequences, time } = this.#options
    const { monitorId, numericId, revision } = identity
    const now = time.now()
    const departed = { ...identity, removedAt: now }
    identities.depart(departed)
    journal.keepIdentity(departed)
    const stored = this.#states.get(numericId)
    if (stored !== undefined) {
      journal.keepState(numericId, null)
      for (const event of onRemoved(stored, now).events)
        journal.addEvent(monitorEvent(event, { monitorId, numericId, revision }))
    }
    consequences.ofDecision(ledger.monitorGone(monitorId, 'removed', now))
  }

  #followChanges(): void {
    const { fleet, keeper, identities } = this.#options
    for (const numericId of this.#states.keys()) {
      const row = identities.rowOf(numericId)
      if (row >= 0) keeper.apply(row, { kind: 'restarted', context: keeper.contextOf(row) })
    }
    for (const [row, changes] of this.#changed) keeper.configurationChanged(row, changes)
    for (let row = 0; row < fleet.rows; row++) {
      const { enabled } = fleet.policyOf(row)
      const mayDiffer = !enabled || fleet.columns.status[row] === statusNumber.disabled
      if (mayDiffer) keeper.follow(row, enabled)
    }
  }
}

function monitorsOf(actions: readonly Action[]): Set<string> {
  return new Set(actions.flatMap(({ monitorId }) => monitorId ?? []))
}
