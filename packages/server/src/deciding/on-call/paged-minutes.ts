// deciding/on-call/paged-minutes.ts: when each recipient gets a page of each policy: at most one per minute. A page takes the
// next free time, and gives it back if it is withdrawn before. What matters is not older than a minute.
import type { Instant } from '../health/health.ts'

const oncePerMs = 60_000

interface Taken {
  readonly page: string
  readonly at: Instant
}

export class PagedMinutes {
  readonly #taken = new Map<string, readonly Taken[]>()

  /** The next time at which the recipient may get this page; it is taken. */
  take(policy: string, recipient: string, page: string, now: Instant): Instant {
    const key = `${policy}\n${recipient}`
    const others = this.#taken.get(key) ?? []
    const free = Math.max(...others.map(({ at }) => at)) + oncePerMs
    const at = Math.max(now, free)
    this.#taken.set(key, [...others.filter((one) => one.at + oncePerMs > now), { page, at }])
    return at
  }

  /** The previous process had taken it. */
  restore(policy: string, recipient: string, page: string, at: Instant): void {
    const key = `${policy}\n${recipient}`
    this.#taken.set(key, [...(this.#taken.get(key) ?? []), { page, at }])
  }

  /** Gives back what the page has not used. */
  release(page: string, now: Instant): void {
    this.#keep((one) => one.page !== page || one.at <= now)
  }

  forget(now: Instant): void {
    this.#keep(({ at }) => at + oncePerMs > now)
  }

  move(stepMs: number): void {
    for (const [key, taken] of this.#taken)
      this.#taken.set(
        key,
        taken.map(({ page, at }) => ({ page, at: at + stepMs })),
      )
  }

  #keep(isKept: (one: Taken) => boolean): void {
    for (const [key, taken] of this.#taken) {
      const kept = taken.filter(isKept)
      if (kept.length === 0) this.#taken.delete(key)
      else if (kept.length < taken.length) this.#taken.set(key, kept)
    }
  }
}
