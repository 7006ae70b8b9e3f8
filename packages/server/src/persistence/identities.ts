// persistence/identities.ts: who each monitor is: its number, which is bound to its identity for the life of the store
// and never given to another, and its revision. New and changed identities are handed to the journal in slices, or
// together with the first thing that names them, whichever comes first: a million of them must not hold up a start.

import { Fingerprints, sameRecovery } from '../fleet/fingerprints.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Instant } from '../deciding/health/health.ts'
import { retentionMs } from '../store/retention.ts'
import type { StoredIdentity } from '../store/store.ts'

export class Identities {
  readonly #fleet: Fleet
  readonly #departed = new Map<string, StoredIdentity>()
  #fingerprints: Fingerprints | null = null
  #revisions = new Uint32Array(0)
  /** 1 for a slot whose identity is not with the journal yet. */
  #unwritten = new Uint8Array(0)
  #unwrittenCount = 0
  #cursor = 0
  #slotOfNumber = new Int32Array(0)
  #highest = 0

  constructor(fleet: Fleet) {
    this.#fleet = fleet
  }

  revisionOf(slot: number): number {
    return this.#revisions[slot]!
  }

  numberOf(slot: number): number {
    return this.#fleet.columns.numericId[slot]!
  }

  get highestNumber(): number {
    return this.#highest
  }

  /** -1 when no monitor of the fleet has the number. */
  slotOf(numericId: number): number {
    return this.#slotOfNumber[numericId] ?? -1
  }

  get areWritten(): boolean {
    return this.#unwrittenCount === 0
  }

  /** The fleet holds a new arrangement. */
  fleetChanged(): void {
    this.#fingerprints = new Fingerprints(this.#fleet.definition)
    this.#revisions = grown(this.#revisions, this.#fleet.slots)
    this.#unwritten = grown(this.#unwritten, this.#fleet.slots)
    this.#slotOfNumber = grownNumbers(this.#slotOfNumber, this.#fleet.slots + 1)
  }

  /** A store remembers that numbers up to this one were given. */
  continueFrom(highest: number): void {
    this.#highest = Math.max(this.#highest, highest)
    this.#slotOfNumber = grownNumbers(this.#slotOfNumber, this.#highest + 1)
  }

  /** The slot's monitor is the one that a store knows, or that was here before. */
  recognise(slot: number, known: StoredIdentity): { readonly check: boolean; readonly recovery: boolean } {
    this.#bind(slot, known.numericId)
    this.#revisions[slot] = known.revision
    const { check, whole } = this.#fingerprints!.of(slot)
    if (whole !== known.fingerprint) this.#revisions[slot]! += 1
    if (whole !== known.fingerprint || known.removedAt !== null) this.#markUnwritten(slot)
    return {
      check: check !== known.checkFingerprint,
      recovery: !sameRecovery(whole, known.fingerprint),
    }
  }

  /** A monitor that is new in the fleet; one that left not long ago gets its own number back. */
  admit(slot: number): void {
    const departed = this.#departed.size === 0 ? undefined : this.#departed.get(this.#fleet.idOf(slot))
    if (departed !== undefined) {
      this.#departed.delete(departed.monitorId)
      this.recognise(slot, departed)
      return
    }
    this.#bind(slot, this.#highest + 1)
    this.#revisions[slot] = 1
    this.#markUnwritten(slot)
  }

  /** Something of the monitor changed that makes a new revision. */
  revise(slot: number): void {
    this.#revisions[slot]! += 1
    this.#markUnwritten(slot)
  }

  /** The monitor leaves the fleet, which still holds it. */
  dismiss(slot: number, now: Instant): StoredIdentity {
    const identity = { ...this.#identityOf(slot), removedAt: now }
    this.#slotOfNumber[identity.numericId] = -1
    this.#claimed(slot)
    this.depart(identity)
    return identity
  }

  /** A monitor that is in no fleet. */
  depart(identity: StoredIdentity): void {
    this.#departed.set(identity.monitorId, identity)
  }

  departed(monitorId: string): StoredIdentity | undefined {
    return this.#departed.get(monitorId)
  }

  /** Those whose number would not be given back any more. */
  forgetDeparted(now: Instant): void {
    for (const [monitorId, { removedAt }] of this.#departed)
      if (removedAt! < now - retentionMs) this.#departed.delete(monitorId)
  }

  /** The identity of the slot if it still has to be written, which is then the caller's duty. */
  claim(slot: number): StoredIdentity | null {
    if (this.#unwritten[slot] !== 1) return null
    this.#claimed(slot)
    return this.#identityOf(slot)
  }

  /** The next identities to write, in the order of their slots; empty when there are none. */
  claimNext(atMost: number): StoredIdentity[] {
    const claimed: StoredIdentity[] = []
    const { slots } = this.#fleet
    for (
      let examined = 0;
      examined < slots && this.#unwrittenCount > 0 && claimed.length < atMost;
      examined++
    ) {
      if (this.#cursor >= slots) this.#cursor = 0
      const identity = this.claim(this.#cursor++)
      if (identity !== null) claimed.push(identity)
    }
    return claimed
  }

  #identityOf(slot: number): StoredIdentity {
    const { check, whole } = this.#fingerprints!.of(slot)
    return {
      monitorId: this.#fleet.idOf(slot),
      numericId: this.numberOf(slot),
      revision: this.#revisions[slot]!,
      fingerprint: whole,
      checkFingerprint: check,
      removedAt: null,
    }
  }

  #bind(slot: number, numericId: number): void {
    this.#highest = Math.max(this.#highest, numericId)
    this.#slotOfNumber = grownNumbers(this.#slotOfNumber, this.#highest + 1)
    this.#slotOfNumber[numericId] = slot
    this.#fleet.columns.numericId[slot] = numericId
  }

  #markUnwritten(slot: number): void {
    if (this.#unwritten[slot] === 1) return
    this.#unwritten[slot] = 1
    this.#unwrittenCount++
  }

  #claimed(slot: number): void {
    if (this.#unwritten[slot] !== 1) return
    this.#unwritten[slot] = 0
    this.#unwrittenCount--
  }
}

function grown<Column extends Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(
  column: Column,
  length: number,
): Column {
  if (length <= column.length) return column
  const larger = new (column.constructor as new (length: number) => Column)(length)
  larger.set(column)
  return larger
}

function grownNumbers(column: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (length <= column.length) return column
  const larger = new Int32Array(Math.max(1024, length * 1.5)).fill(-1)
  larger.set(column)
  return larger
}
