// persistence/identities.ts: the number and the revision of each monitor. A number belongs to one identity for the life
// of the store and is never reused. New and changed identities go to the journal in slices, or together with the first
// record that names them, whichever comes first: a million of them must not delay a start.

import type { Instant } from '../deciding/health/health.ts'
import { type Fingerprint, Fingerprints } from '../fleet/fingerprints.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { addTo, grown, put } from '../platform/column.ts'
import { retentionMs } from '../store/retention.ts'
import type { StoredEvent, StoredIdentity } from '../store/store.ts'

/** The fingerprints depend on the configuration, which is not in the fleet yet. */
const notSeenYet = { revision: 1, fingerprint: '', checkFingerprint: '', removedAt: null }

export class Identities {
  readonly #fleet: Fleet
  readonly #departed = new Map<string, StoredIdentity>()
  /** Numbers of monitors that are about to join the fleet, and whether their complete identity is on disk. */
  readonly #reserved = new Map<string, { readonly number: number; readonly isWhole: boolean }>()
  #fingerprints: Fingerprints | null = null
  /**
   * How many revisions a row has had after its first. Most have none, and zeros that are never written take no memory.
   */
  #revised = new Uint32Array(0)
  /** The last control revision of earlier incarnations of the row's monitor. Most rows have none. */
  #controlsBefore = new Uint32Array(0)
  /**
   * 1 for a row whose identity the journal does not have yet, and a list of these rows; some may have been claimed since.
   */
  #unwritten = new Uint8Array(0)
  #unwrittenCount = 0
  #unwrittenRows: number[] = []
  /** The row of each number plus one, so that 0 means none. */
  #rowsFromOne = new Uint32Array(0)
  #highest = 0

  constructor(fleet: Fleet) {
    this.#fleet = fleet
  }

  revisionOf(row: number): number {
    return this.#revised[row]! + 1
  }

  controlsBefore(row: number): number {
    return this.#controlsBefore[row] ?? 0
  }

  numberOf(row: number): number {
    return this.#fleet.columns.numericId[row]!
  }

  get highestNumber(): number {
    return this.#highest
  }

  /** -1 if no monitor of the fleet has the number. */
  rowOf(numericId: number): number {
    return (this.#rowsFromOne[numericId] ?? 0) - 1
  }

  get areWritten(): boolean {
    return this.#unwrittenCount === 0
  }

  /** The fleet was rearranged. */
  fleetChanged(): void {
    this.#fingerprints = new Fingerprints(this.#fleet.definition)
    this.#revised = grown(this.#revised, this.#fleet.rows)
    this.#controlsBefore = grown(this.#controlsBefore, this.#fleet.rows)
    this.#unwritten = grown(this.#unwritten, this.#fleet.rows)
    this.#makeRoomForNumbers(this.#fleet.rows)
  }

  /** Numbers up to this one are in use, according to the store. */
  continueFrom(highest: number): void {
    this.#highest = Math.max(this.#highest, highest)
    this.#makeRoomForNumbers(this.#highest)
  }

  /** The row's monitor is known from the store, or was in the fleet before. Returns what has changed since. */
  recognise(
    row: number,
    known: StoredIdentity,
  ): { readonly check: boolean; readonly recovery: boolean; readonly some: boolean } {
    this.#bind(row, known.numericId)
    put(this.#revised, row, known.revision - 1)
    put(this.#controlsBefore, row, known.controlsBefore ?? 0)
    const stored = { check: known.checkFingerprint, whole: known.fingerprint }
    const same = this.#fingerprints!.compare(row, stored)
    if (!same.whole) addTo(this.#revised, row, 1)
    if (!same.whole || known.removedAt !== null) this.#markUnwritten(row)
    return { check: !same.check, recovery: !same.recovery, some: !same.whole }
  }

  /**
   * Reserves the number of a monitor that is about to join the fleet, and returns the identity to store if it
   * is new. A number that was reserved before is kept, because the record it was for may have been rolled
   * back. With the fingerprint of its configuration the identity is complete, and need not be stored again
   * when the monitor joins (reservedStored).
   */
  reserve(monitorId: string, fingerprint: Fingerprint | null = null): StoredIdentity | null {
    if (this.#departed.has(monitorId)) return null
    const number = this.#reserved.get(monitorId)?.number ?? ++this.#highest
    this.#reserved.set(monitorId, { number, isWhole: false })
    if (fingerprint === null) return { monitorId, numericId: number, ...notSeenYet }
    const { whole, check } = fingerprint
    return {
      monitorId,
      numericId: number,
      revision: 1,
      fingerprint: whole,
      checkFingerprint: check,
      removedAt: null,
    }
  }

  /** These were reserved with a fingerprint, and are now on disk. */
  reservedStored(monitorIds: Iterable<string>): void {
    for (const monitorId of monitorIds) {
      const reserved = this.#reserved.get(monitorId)
      if (reserved !== undefined) this.#reserved.set(monitorId, { ...reserved, isWhole: true })
    }
  }

  /** A monitor is new in the fleet. One that left within the retention time gets its number back; returns true for it. */
  admit(row: number): boolean {
    const departed = this.#departed.size === 0 ? undefined : this.#departed.get(this.#fleet.idOf(row))
    if (departed !== undefined) {
      this.#departed.delete(departed.monitorId)
      this.recognise(row, departed)
      return true
    }
    const reserved = this.#takeReserved(row)
    this.#bind(row, reserved?.number ?? this.#highest + 1)
    put(this.#revised, row, 0)
    put(this.#controlsBefore, row, 0)
    if (reserved?.isWhole !== true) this.#markUnwritten(row)
    return false
  }

  #takeReserved(row: number): { readonly number: number; readonly isWhole: boolean } | undefined {
    if (this.#reserved.size === 0) return undefined
    const monitorId = this.#fleet.idOf(row)
    const reserved = this.#reserved.get(monitorId)
    this.#reserved.delete(monitorId)
    return reserved
  }

  /** A change of the monitor creates a new revision. */
  revise(row: number): void {
    addTo(this.#revised, row, 1)
    this.#markUnwritten(row)
  }

  /** The monitor is leaving but is still in the fleet. */
  dismiss(row: number, now: Instant, controlRevision: number): StoredIdentity {
    const identity = { ...this.#identityOf(row), removedAt: now, controlsBefore: controlRevision }
    this.#rowsFromOne[identity.numericId] = 0
    this.#claimed(row)
    this.depart(identity)
    return identity
  }

  /** Records the identity of a monitor that is not in the fleet. */
  depart(identity: StoredIdentity): void {
    this.#departed.set(identity.monitorId, identity)
  }

  departed(monitorId: string): StoredIdentity | undefined {
    return this.#departed.get(monitorId)
  }

  /** How the log names a monitor. The row is -1 for a monitor that left the fleet and still has actions. */
  inLog(row: number, monitorId: string | null): Pick<StoredEvent, 'numericId' | 'revision'> {
    if (row >= 0) return { numericId: this.numberOf(row), revision: this.revisionOf(row) }
    const departed = monitorId === null ? undefined : this.#departed.get(monitorId)
    const reserved = monitorId === null ? undefined : this.#reserved.get(monitorId)?.number
    return { numericId: departed?.numericId ?? reserved ?? null, revision: departed?.revision ?? null }
  }

  /** Drops monitors that have been gone for so long that they would get a new number. */
  forgetDeparted(now: Instant): void {
    for (const [monitorId, { removedAt }] of this.#departed)
      if ((removedAt ?? now) < now - retentionMs) this.#departed.delete(monitorId)
  }

  /** The row's identity if it still has to be written. The caller must then write it. */
  claim(row: number): StoredIdentity | null {
    if (this.#unwritten[row] !== 1) return null
    this.#claimed(row)
    return this.#identityOf(row)
  }

  /** The next identities to write; empty if there are none. */
  claimNext(atMost: number): StoredIdentity[] {
    const claimed: StoredIdentity[] = []
    while (this.#unwrittenCount > 0 && claimed.length < atMost) {
      const row = this.#unwrittenRows.pop()
      const identity = row === undefined ? null : this.claim(row)
      if (identity !== null) claimed.push(identity)
    }
    if (this.#unwrittenCount === 0) this.#unwrittenRows = []
    return claimed
  }

  #identityOf(row: number): StoredIdentity {
    const { check, whole } = this.#fingerprints!.of(row)
    const controlsBefore = this.controlsBefore(row)
    return {
      monitorId: this.#fleet.idOf(row),
      numericId: this.numberOf(row),
      revision: this.revisionOf(row),
      fingerprint: whole,
      checkFingerprint: check,
      removedAt: null,
      ...(controlsBefore === 0 ? {} : { controlsBefore }),
    }
  }

  #makeRoomForNumbers(highest: number): void {
    if (highest < this.#rowsFromOne.length) return
    // More than requested, because numbers grow one by one.
    this.#rowsFromOne = grown(this.#rowsFromOne, Math.max(1024, Math.floor((highest + 1) * 1.5)))
  }

  #bind(row: number, numericId: number): void {
    this.#highest = Math.max(this.#highest, numericId)
    this.#makeRoomForNumbers(this.#highest)
    this.#rowsFromOne[numericId] = row + 1
    this.#fleet.columns.numericId[row] = numericId
  }

  #markUnwritten(row: number): void {
    if (this.#unwritten[row] === 1) return
    this.#unwritten[row] = 1
    this.#unwrittenCount++
    this.#unwrittenRows.push(row)
  }

  #claimed(row: number): void {
    if (this.#unwritten[row] !== 1) return
    this.#unwritten[row] = 0
    this.#unwrittenCount--
  }
}
