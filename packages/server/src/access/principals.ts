// access/principals.ts: the principals that may use v2 now. Checks the principals file four times per second,
// so that a revoked token stops working within a second; and before it treats a token as unknown, so that a
// new one works at once. While the file is missing or unusable, the last list stays in force: losing the file
// neither opens the service nor locks its operators out.
import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../platform/clock.ts'
import { UsageError } from '../platform/usage-error.ts'
import type { PrincipalSource } from './principal-source.ts'
import { formatPrincipals, type Principal } from './principals-format.ts'
import { digestOf, isWellFormed } from './token.ts'

const lookEveryMs = 250
/** How often unknown tokens may cause a check of the file, at once and per second. Guessing cannot cause more. */
const looksForUnknown = { burst: 20, perSecond: 50 }

export interface PrincipalsChange {
  /**
   * Digests of tokens whose rights have changed: revoked, expired, or with another name, role, job types or locations.
   * Whatever was opened with one of them must end.
   */
  readonly ended: ReadonlySet<string>
  /** The current problem. */
  readonly problem: string | null
}

export class Principals implements Disposable {
  readonly #source: PrincipalSource
  readonly #clock: Clock
  readonly #listeners = new Set<(change: PrincipalsChange) => void>()
  #byDigest: ReadonlyMap<string, Principal>
  /** The list as text, for comparison. */
  #text: string
  /** Those that had not expired at the last check. */
  #inForce: ReadonlyMap<string, Principal> = new Map()
  #problem: string | null = null
  #fingerprint: string | null = null
  /** Whether the last read failed. */
  #hasFailed = false
  #lookedAtMs: number
  #nextExpiryMs = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #isDisposed = false
  #looksLeft = looksForUnknown.burst
  #looksCountedMs: number

  private constructor(source: PrincipalSource, clock: Clock, principals: readonly Principal[]) {
    this.#source = source
    this.#clock = clock
    this.#byDigest = byDigest(principals)
    this.#text = formatPrincipals(principals)
    this.#lookedAtMs = clock.wallMs()
    this.#looksCountedMs = clock.monotonicMs()
    this.#sortOut(this.#lookedAtMs)
  }

  /** Throws a UsageError if the file cannot be used; the first start has already created it. */
  static open(source: PrincipalSource, clock: Clock): Principals {
    const reading = source.read()
    if (reading.kind !== 'read') throw new UsageError(reading.problem)
    return new Principals(source, clock, reading.principals)
  }

  /** What is wrong with the file, and that the previous list is in force; null if nothing is. */
  get problem(): string | null {
    return this.#problem
  }

  /** The number of principals that have not expired. */
  get inForce(): number {
    return this.#inForce.size
  }

  /** Starts checking the file. */
  watch(): void {
    this.#plan()
  }

  principalOf(presented: string, nowMs: number): Principal | 'expired' | null {
    const principal = this.#find(presented)
    if (principal === null) return null
    return isExpired(principal, nowMs) ? 'expired' : principal
  }

  /** Whether the token belongs to a principal, even if it has expired. */
  knows(presented: string): boolean {
    return this.#find(presented) !== null
  }

  /** The principal whose token has this digest; null if there is none, or it has expired. */
  inForceOf(digest: string, nowMs: number): Principal | null {
    const principal = this.#byDigest.get(digest)
    return principal === undefined || isExpired(principal, nowMs) ? null : principal
  }

  /** Called when the list or the problem changed, or when a token expired. Returns a function that unsubscribes. */
  onChange(listener: (change: PrincipalsChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Checks for changes since the last check; `watch` calls it regularly. A changed file is read at once: a
   * revoked token must stop working even while the file keeps changing. A fault in it becomes a problem only
   * if the next read fails too: an editor may have been writing.
   */
  async look(): Promise<void> {
    this.#notice(await this.#source.fingerprint())
  }

  #notice(fingerprint: string): void {
    if (this.#isDisposed) return
    const problemBefore = this.#problem
    const isToBeRead = fingerprint !== this.#fingerprint || this.#hasFailed
    this.#fingerprint = fingerprint
    const isAnotherList = isToBeRead && this.#read()
    const ended = this.#endedSince(isAnotherList)
    if (!isAnotherList && ended.size === 0 && this.#problem === problemBefore) return
    for (const listener of this.#listeners) listener({ ended, problem: this.#problem })
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    clearTimeout(this.#timer)
    this.#listeners.clear()
  }

  /**
   * A map lookup, whose timing depends on the SHA-256 of the presented token. A client cannot choose that
   * digest, so it cannot approach a known one byte by byte, and the timing reveals nothing about a token. A
   * match is confirmed in constant time.
   */
  #find(presented: string): Principal | null {
    if (!isWellFormed(presented)) return null
    const digest = digestOf(presented)
    if (!this.#byDigest.has(digest)) this.#lookForUnknown()
    const principal = this.#byDigest.get(digest)
    if (principal === undefined) return null
    return timingSafeEqual(Buffer.from(principal.digest), Buffer.from(digest)) ? principal : null
  }

  /** The command that creates a token returns once the file has it, and its user must not wait for the next check. */
  #lookForUnknown(): void {
    const nowMs = this.#clock.monotonicMs()
    const regained = ((nowMs - this.#looksCountedMs) / 1000) * looksForUnknown.perSecond
    this.#looksCountedMs = nowMs
    this.#looksLeft = Math.min(looksForUnknown.burst, this.#looksLeft + regained)
    if (this.#looksLeft < 1) return
    this.#looksLeft--
    const fingerprint = this.#source.fingerprintNow()
    // An unreadable file is left to the watch: an editor may be writing.
    if (fingerprint !== this.#fingerprint) this.#notice(fingerprint)
  }

  #plan(): void {
    if (!this.#isDisposed) this.#timer = setTimeout(() => void this.#lookAgain(), lookEveryMs)
  }

  async #lookAgain(): Promise<void> {
    await this.look()
    this.#plan()
  }

  /** Whether another list came into force. */
  #read(): boolean {
    const reading = this.#source.read()
    if (reading.kind !== 'read') {
      if (this.#hasFailed)
        this.#problem = `${reading.problem} The principals that were read before stay in force.`
      this.#hasFailed = true
      return false
    }
    this.#hasFailed = false
    this.#problem = null
    const text = formatPrincipals(reading.principals)
    if (text === this.#text) return false
    this.#text = text
    this.#byDigest = byDigest(reading.principals)
    return true
  }

  /** Walks the list only if it is another one, if a token has expired, or if the clock was set back. */
  #endedSince(isAnotherList: boolean): ReadonlySet<string> {
    const nowMs = this.#clock.wallMs()
    const isTimely = nowMs < this.#nextExpiryMs && nowMs >= this.#lookedAtMs
    this.#lookedAtMs = nowMs
    return isAnotherList || !isTimely ? this.#sortOut(nowMs) : new Set()
  }

  /** Determines which tokens are in force, and returns the digests that no longer are. */
  #sortOut(nowMs: number): ReadonlySet<string> {
    const before = this.#inForce
    const inForce = [...this.#byDigest].filter(([, principal]) => !isExpired(principal, nowMs))
    this.#inForce = new Map(inForce)
    this.#nextExpiryMs = Math.min(
      ...inForce.map(([, { expiresMs }]) => expiresMs ?? Number.POSITIVE_INFINITY),
    )
    const ended = [...before].filter(([digest, principal]) => {
      const now = this.#inForce.get(digest)
      return now === undefined || !hasSameRights(now, principal)
    })
    return new Set(ended.map(([digest]) => digest))
  }
}

function byDigest(principals: readonly Principal[]): ReadonlyMap<string, Principal> {
  return new Map(principals.map((principal) => [principal.digest, principal]))
}

function isExpired({ expiresMs }: Principal, nowMs: number): boolean {
  return expiresMs !== null && nowMs >= expiresMs
}

function hasSameRights(one: Principal, other: Principal): boolean {
  return (
    one.name === other.name &&
    one.role === other.role &&
    isSameSet(one.jobTypes, other.jobTypes) &&
    isSameSet(one.locations ?? [], other.locations ?? [])
  )
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry) => other.includes(entry))
}
