// deciding/on-call/paged-minutes.ts: when each recipient gets a page of each policy: at most one per minute. A page takes the
// next free time, and gives it back if it is withdrawn before. What matters is not older than a minute; it is stored, because
// a page may end, and the process with it, within that minute.
import type { Instant } from '../health/health.ts'
import type { EscalationDraft } from './escalation-decision.ts'
import type { Minutes } from './page.ts'

const oncePerMs = 60_000

type Taken = Minutes['taken'][number]

export class PagedMinutes {
  readonly #minutes = new Map<string, Minutes>()

  /** The next time at which the recipient may get this page; it is taken. */
  take(
    draft: EscalationDraft,
    { policy, recipient }: Pick<Minutes, 'policy' | 'recipient'>,
    page: string,
  ): Instant {
    const others = this.#minutes.get(`${policy} ${recipient}`)?.taken ?? []
    const free = Math.max(...others.map(({ at }) => at)) + oncePerMs
    const at = Math.max(draft.now, free)
    const taken = [...others.filter((one) => one.at + oncePerMs > draft.now), { page, at }]
    this.#put(draft, { policy, recipient, taken })
    return at
  }

  /** The previous process had taken them, perhaps by a clock that was ahead: each waits for the one before it at most. */
  restore(draft: EscalationDraft, minutes: Minutes): void {
    let latest = draft.now
    const taken = minutes.taken.map(({ page, at }) => {
      if (at > draft.now) latest += oncePerMs
      return { page, at: Math.min(at, latest) }
    })
    const isRight = taken.every(({ at }, index) => at === minutes.taken[index]!.at)
    if (isRight) this.#minutes.set(`${minutes.policy} ${minutes.recipient}`, minutes)
    else this.#put(draft, { ...minutes, taken })
  }

  /** Gives back what the page has not used. */
  release(draft: EscalationDraft, page: string): void {
    this.#keep(draft, (one) => one.page !== page || one.at <= draft.now)
  }

  forget(draft: EscalationDraft): void {
    this.#keep(draft, ({ at }) => at + oncePerMs > draft.now)
  }

  move(draft: EscalationDraft, stepMs: number): void {
    for (const minutes of this.#minutes.values()) {
      const taken = minutes.taken.map(({ page, at }) => ({ page, at: at + stepMs }))
      this.#put(draft, { ...minutes, taken })
    }
  }

  #keep(draft: EscalationDraft, isKept: (one: Taken) => boolean): void {
    for (const minutes of this.#minutes.values()) {
      const taken = minutes.taken.filter(isKept)
      if (taken.length < minutes.taken.length) this.#put(draft, { ...minutes, taken })
    }
  }

  #put(draft: EscalationDraft, minutes: Minutes): void {
    const key = `${minutes.policy} ${minutes.recipient}`
    const isOver = minutes.taken.length === 0
    if (isOver) this.#minutes.delete(key)
    else this.#minutes.set(key, minutes)
    draft.keep({ key: `minutes ${key}`, value: isOver ? null : minutes })
  }
}
