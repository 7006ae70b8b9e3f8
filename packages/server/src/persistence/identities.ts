// persistence/identities.ts: who each monitor is: its number, which is bound to its identity for the life of the store
// and never given to another, and its revision. New and changed identities are handed to the journal in slices, or
// together with the first thing that names them, whichever comes first: a million of them must not hold up a start.

import type { Instant } from '../deciding/health/health.ts'
import { Fingerprints, sameRecovery } from '../fleet/fingerprints.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { grown } from '../platform/column.ts'
import { retentionMs } from '../store/retention.ts'
import type { StoredEvent, StoredIdentity } from '../store/store.ts'

export class Identities {
  readonly #fleet: Fleet
  readonly #departed = new Map<string, StoredIdentity>()
  #fingerprints: Fingerprints | null = null
  #revisions = new Uint32Array(0)
  /** 1 for a row whose identity is not with the journal yet. */
  #unwritten = new Uint8Array(0)
  #unwrittenCount = 0
  #cursor = 0
  #rowOfNumber = new Int32Array(0)
  #highest = 0

  constructor(fleet: Fleet) {
    this.#fleet = fleet
  }

  revisionOf(row: number): number {
    return this.#revisions[row]!
  }

  numberOf(row: number): number {
    return this.#fleet.columns.numericId[row]!
  }

  get highestNumber(): number {
    return this.#highest
  }

  /** -1 when no monitor of the fleet has the number. */
  rowOf(numericId: number): number {
    return this.#rowOfNumber[numericId] ?? -1
  }

  get areWritten(): boolean {
    return this.#unwrittenCount === 0
  }

  /** The fleet holds a new arrangement. */
  fleetChanged(): void {
    this.#fingerprints = new Fingerprints(this.#fleet.definition)
    this.#revisions = grown(this.#revisions, this.#fleet.rows)
    this.#unwritten = grown(this.#unwritten, this.#fleet.rows)
    this.#makeRoomForNumbers(this.#fleet.rows)
  }

  /** A store remembers that numbers up to this one were given. */
  continueFrom(highest: number): void {
    this.#highest = Math.max(this.#highest, highest)
    this.#makeRoomForNumbers(this.#highest)
  }

  /** The row's monitor is the one that a store knows, or that was here before. */
  recognise(row: number, known: StoredIdentity): { readonly check: boolean; readonly recovery: boolean } {
    this.#bind(row, known.numericId)
    this.#revisions[row] = known.revision
    const { check, whole } = this.#fingerprints!.of(row)
    if (whole !== known.fingerprint) this.#revisions[row]! += 1
    if (whole !== known.fingerprint || known.removedAt !== null) this.#markUnwritten(row)
    return {
      check: check !== known.checkFingerprint,
      recovery: !sameRecovery(whole, known.fingerprint),
    }
  }

  /** A monitor that is new in the fleet; one that left not long ago gets its own number back. */
  admit(row: number): void {
    const departed = this.#departed.size === 0 ? undefined : this.#departed.get(this.#fleet.idOf(row))
    if (departed !== undefined) {
      this.#departed.delete(departed.monitorId)
      this.recognise(row, departed)
      return
    }
    this.#bind(row, this.#highest + 1)
    this.#revisions[row] = 1
    this.#markUnwritten(row)
  }

  /** Something of the monitor changed that makes a new revision. */
  revise(row: number): void {
    this.#revisions[row]! += 1
    this.#markUnwritten(row)
  }

  /** The monitor leaves the fleet, which still holds it. */
  dismiss(row: number, now: Instant): StoredIdentity {
    const identity = { ...this.#identityOf(row), removedAt: now }
    this.#rowOfNumber[identity.numericId] = -1
    this.#claimed(row)
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

  /** How the log names a monitor; actions may outlast the presence of theirs, whose row is -1 then. */
  inLog(row: number, monitorId: string | null): Pick<StoredEvent, 'numericId' | 'revision'> {
    if (row >= 0) return { numericId: this.numberOf(row), revision: this.revisionOf(row) }
    const departed = monitorId === null ? undefined : this.#departed.get(monitorId)
    return { numericId: departed?.numericId ?? null, revision: departed?.revision ?? null }
  }

  /** Those whose number would not be given back any more. */
  forgetDeparted(now: Instant): void {
    for (const [monitorId, { removedAt }] of this.#departed)
      if (removedAt! < now - retentionMs) this.#departed.delete(monitorId)
  }

  /** The identity of the row if it still has to be written, which is then the caller's duty. */
  claim(row: number): StoredIdentity | null {
    if (this.#unwritten[row] !== 1) return null
    this.#claimed(row)
    return this.#identityOf(row)
  }

  /** The next identities to write, in the order of their rows; empty when there are none. */
  claimNext(atMost: number): StoredIdentity[] {
    const claimed: StoredIdentity[] = []
    const { rows } = this.#fleet
    for (
      let examined = 0;
      examined < rows && this.#unwrittenCount > 0 && claimed.length < atMost;
      examined++
    ) {
      if (this.#cursor >= rows) this.#cursor = 0
      const identity = this.claim(this.#cursor++)
      if (identity !== null) claimed.push(identity)
    }
    return claimed
  }

  #identityOf(row: number): StoredIdentity {
    const { check, whole } = this.#fingerprints!.of(row)
    return {
      monitorId: this.#fleet.idOf(row),
      numericId: this.numberOf(row),
      revision: this.#revisions[row]!,
      fingerprint: whole,
      checkFingerprint: check,
      removedAt: null,
    }
  }

  #makeRoomForNumbers(highest: number): void {
    if (highest < this.#rowOfNumber.length) return
    // More than asked for: numbers rise one by one.
    this.#rowOfNumber = grown(this.#rowOfNumber, Math.max(1024, Math.floor((highest + 1) * 1.5)), -1)
  }

  #bind(row: number, numericId: number): void {
    this.#highest = Math.max(this.#highest, numericId)
    this.#makeRoomForNumbers(this.#highest)
    this.#rowOfNumber[numericId] = row
    this.#fleet.columns.numericId[row] = numericId
  }

  #markUnwritten(row: number): void {
    if (this.#unwritten[row] === 1) return
    this.#unwritten[row] = 1
    this.#unwrittenCount++
  }

  #claimed(row: number): void {
    if (this.#unwritten[row] !== 1) return
    this.#unwritten[row] = 0
    this.#unwrittenCount--
  }
}
