// controller/takeover.ts: how a run goes on with what another one left in the store: who is who, what state each
// monitor was in, what was queued. What was under way then has an outcome that nobody knows; monitors that are not in
// the fleet any more are closed properly. All of it is one decision, committed before the first check.
import type { Action } from '../actions/action.ts'
import type { Ledger } from '../actions/ledger.ts'
import { statusNumber } from '../fleet/columns.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Health } from '../health/health.ts'
import { onRemoved } from '../health/on-lifecycle.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { indexRows, type RowIndex } from '../platform/row-index.ts'
import { forgetBefore } from '../store/retention-clock.ts'
import type { Recovered, StoredIdentity } from '../store/store.ts'
import { type Consequences, monitorEvent } from './consequences.ts'
import { decodeBlock } from './counter-block.ts'
import type { HealthKeeper } from './health-keeper.ts'
import type { Identities } from './identities.ts'
import type { Journal } from './journal.ts'
import type { ServiceTime } from './service-time.ts'

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
    const slotOf = await this.#recogniseAll(recovered)
    this.#restoreColumns(recovered)
    this.#restoreStates()
    for (const action of recovered.actions) consequences.lastActions.note(action)
    for (const monitorId of monitorsOf(recovered.actions)) {
      const slot = slotOf(monitorId)
      if (slot >= 0) consequences.bind(monitorId, slot)
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
    for (const monitorId of monitorsOf(recovered.actions)) consequences.showCode(slotOf(monitorId), monitorId)
    for (const identity of this.#vanished) this.#close(identity)
    this.#followChanges()
  }

  /** Numbers for everybody; answers with where to find a monitor by its identity. */
  async #recogniseAll({ identities: chunks, retention }: Recovered): Promise<(monitorId: string) => number> {
    const { fleet, identities, time } = this.#options
    const ids = new PackedReader(fleet.definition.ids)
    const read = (slot: number) => ids.get(slot)
    // Made when somebody is looked for: a new store knows nobody, and megabytes of index would stay as garbage.
    let index: RowIndex | null = null
    const slotOf = (monitorId: string) => {
      index ??= indexRows(ids, fleet.slots)
      return index.find(monitorId, read)
    }
    const isKnown = new Uint8Array(fleet.slots)
    const forgottenBefore = forgetBefore(retention, time.now()) ?? Number.NEGATIVE_INFINITY
    for await (const chunk of chunks) {
      for (const identity of chunk) {
        const slot = slotOf(identity.monitorId)
        if (slot >= 0) {
          isKnown[slot] = 1
          this.#recognise(slot, identity)
        } else if (identity.removedAt === null) this.#vanished.push(identity)
        else if (identity.removedAt >= forgottenBefore) identities.depart(identity)
      }
    }
    for (let slot = 0; slot < fleet.slots; slot++) if (isKnown[slot] === 0) identities.admit(slot)
    return slotOf
  }

  #recognise(slot: number, identity: StoredIdentity): void {
    const changes = this.#options.identities.recognise(slot, identity)
    if (changes.check || changes.recovery) this.#changed.set(slot, changes)
    const stored = this.#states.get(identity.numericId)
    if (stored !== undefined) this.#healths.set(identity.monitorId, stored)
  }

  #restoreColumns({ blocks }: Recovered): void {
    const { fleet, identities } = this.#options
    const { columns } = fleet
    for (const { block, bytes } of blocks)
      decodeBlock(block, bytes, (numericId) => identities.slotOf(numericId), columns)
    const now = this.#options.time.now()
    for (let slot = 0; slot < fleet.slots; slot++) {
      fleet.showSamples(slot, columns.healthySamples[slot]!, columns.totalSamples[slot]!)
      // By a clock that was ahead, a parent would seem to have been checked after its child failed.
      if (columns.lastCheck[slot]! > now) columns.lastCheck[slot] = now
      if (columns.lastSuccess[slot]! > now) columns.lastSuccess[slot] = now
    }
  }

  /** A monitor that was checked and has no state of its own was quiet. */
  #restoreStates(): void {
    const { fleet, identities, keeper } = this.#options
    for (let slot = 0; slot < fleet.slots; slot++) {
      const stored = this.#states.get(identities.numberOf(slot)) ?? null
      const wasChecked = !Number.isNaN(fleet.columns.lastCheck[slot])
      if (stored !== null || wasChecked) keeper.restore(slot, stored, this.#changed.get(slot)?.check ?? false)
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
      const slot = identities.slotOf(numericId)
      if (slot >= 0) keeper.apply(slot, { kind: 'restarted', context: keeper.contextOf(slot) })
    }
    for (const [slot, changes] of this.#changed) keeper.configurationChanged(slot, changes)
    for (let slot = 0; slot < fleet.slots; slot++) {
      const { enabled } = fleet.policyOf(slot)
      const mayDiffer = !enabled || fleet.columns.status[slot] === statusNumber.disabled
      if (mayDiffer) keeper.follow(slot, enabled)
    }
  }
}

function monitorsOf(actions: readonly Action[]): Set<string> {
  return new Set(actions.flatMap(({ monitorId }) => monitorId ?? []))
}
