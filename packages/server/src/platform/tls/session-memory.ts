// platform/tls/session-memory.ts: TLS sessions that a later check of the same monitor may resume, in bounded memory.
//
// Checks come in cycles, so a memory that is too small and forgets the oldest would have forgotten each session before it
// is wanted again. This one keeps those of the shortest intervals, which save the most, and refuses the others: they make
// full handshakes. Among equal intervals the first ones stay until they have expired.
import type { Clock } from '../clock.ts'
import { forgetOldest } from '../forget-oldest.ts'

const defaultSessionBytes = 32 * 1024 * 1024

/** A larger one is not worth its place, and would have to be sent with every hello. */
const maxSessionBytes = 16 * 1024

/** What an entry takes beside its texts and the session: objects, a buffer of its own, places in maps. */
const entryBytes = 640

/** A certificate that ends sooner is looked at in every check. */
const certificateMarginMs = 14 * 86_400_000

/** A server that needs everything to be offered is offered less again after this time; it may have changed. */
const demandingForMs = 3_600_000
const maxDemanding = 1_024

export interface KnownSession {
  readonly session: Buffer
  /** Of the last full handshake, which its successors by resumption share. Monotonic. */
  readonly fullAtMs: number
  /** What that handshake showed. */
  readonly certificateExpiresAt: number
}

/** A monitor as this memory knows it. */
export interface SessionOwner {
  readonly row: number
  /** Another one after each change of the monitor, and for another monitor in the same row. */
  readonly version: number
  readonly intervalMs: number
}

interface Entry extends KnownSession {
  readonly owner: SessionOwner
  readonly server: string
  readonly usableUntilMs: number
  readonly bytes: number
}

export class SessionMemory {
  readonly clock: Clock
  readonly #maxBytes: number
  #bytes = 0
  /** By row. A check has a session for each server that it talks to, nearly always one. */
  readonly #ofRow = new Map<number, Entry[]>()
  /** By interval, of which a fleet has few; each in the order in which they were kept. */
  readonly #ofInterval = new Map<number, Set<Entry>>()
  /** Servers that refuse a handshake in which anything is left out, and until when that is taken to be so. */
  readonly #demanding = new Map<string, number>()

  constructor(clock: Clock, maxBytes = defaultSessionBytes) {
    this.clock = clock
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  find({ row, version }: SessionOwner, server: string): KnownSession | null {
    const entry = this.#ofRow.get(row)?.find((each) => each.server === server)
    const isUsable = entry?.owner.version === version && !this.#hasExpired(entry)
    return isUsable ? entry : null
  }

  /** Takes the place of the session that the monitor has for this server. It may be refused. */
  keep(owner: SessionOwner, server: string, known: KnownSession, fullEveryMs: number): void {
    const before = this.#ofRow.get(owner.row)?.find((each) => each.server === server)
    if (before !== undefined) this.#drop(before)
    const entry: Entry = {
      ...known,
      owner,
      server,
      usableUntilMs: known.fullAtMs + fullEveryMs,
      // Once in its own memory: what Node hands out may be a part of a larger buffer.
      session: ownCopy(known.session),
      bytes: known.session.length + 2 * server.length + entryBytes,
    }
    if (known.session.length > maxSessionBytes || this.#hasExpired(entry) || !this.#makeRoom(entry)) return
    this.#bytes += entry.bytes
    addTo(this.#ofRow, owner.row, entry)
    const alike = this.#ofInterval.get(owner.intervalMs)
    if (alike === undefined) this.#ofInterval.set(owner.intervalMs, new Set([entry]))
    else alike.add(entry)
  }

  /** The monitor's check failed, or it has changed or left. */
  forget(row: number): void {
    const entries = this.#ofRow.get(row)
    if (entries !== undefined) for (const entry of [...entries]) this.#drop(entry)
  }

  clear(): void {
    this.#bytes = 0
    this.#ofRow.clear()
    this.#ofInterval.clear()
  }

  isDemanding(server: string): boolean {
    const untilMs = this.#demanding.get(server)
    return untilMs !== undefined && this.clock.monotonicMs() < untilMs
  }

  noteDemanding(server: string): void {
    this.#demanding.delete(server)
    if (this.#demanding.size >= maxDemanding) forgetOldest(this.#demanding)
    this.#demanding.set(server, this.clock.monotonicMs() + demandingForMs)
  }

  #makeRoom({ bytes, owner }: Entry): boolean {
    while (this.#bytes + bytes > this.#maxBytes) {
      const victim = this.#victimOf(owner.intervalMs)
      if (victim === null) return false
      this.#drop(victim)
    }
    return true
  }

  /** One that has expired, or else the one that was kept first of the longest interval, if that is a longer one. */
  #victimOf(intervalMs: number): Entry | null {
    let longestMs = intervalMs
    let victim: Entry | null = null
    for (const [eachMs, entries] of this.#ofInterval) {
      const [first] = entries
      if (first === undefined) continue
      if (this.#hasExpired(first)) return first
      if (eachMs <= longestMs) continue
      longestMs = eachMs
      victim = first
    }
    return victim
  }

  #hasExpired({ usableUntilMs, certificateExpiresAt }: Entry): boolean {
    return (
      this.clock.monotonicMs() >= usableUntilMs ||
      certificateExpiresAt - this.clock.wallMs() <= certificateMarginMs
    )
  }

  #drop(entry: Entry): void {
    const { row, intervalMs } = entry.owner
    this.#bytes -= entry.bytes
    const others = this.#ofRow.get(row)!.filter((each) => each !== entry)
    if (others.length === 0) this.#ofRow.delete(row)
    else this.#ofRow.set(row, others)
    const alike = this.#ofInterval.get(intervalMs)!
    alike.delete(entry)
    if (alike.size === 0) this.#ofInterval.delete(intervalMs)
  }
}

function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
