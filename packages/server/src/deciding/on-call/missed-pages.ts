// deciding/on-call/missed-pages.ts: pages that ended before the quiet hours of a person were over. At the end of the hours
// they are one message: how many there were, and the last of them.
import type { Instant } from '../health/health.ts'
import type { EscalationDraft } from './escalation-decision.ts'
import type { Missed, Page } from './page.ts'

export class MissedPages {
  readonly #missed = new Map<string, Missed>()

  get nextDueAt(): Instant {
    return Math.min(...this.#missed.values().map(({ until }) => until))
  }

  restore(missed: Missed): void {
    this.#missed.set(missed.person, missed)
  }

  /** The page has ended: the person whom it was held for is told of it later. */
  keep(draft: EscalationDraft, page: Page): void {
    for (const { news, endpoints, until } of page.held) {
      const person = news.person!
      const known = this.#missed.get(person)
      const missed = {
        person,
        endpoints,
        until: Math.min(until, known?.until ?? until),
        pages: (known?.pages ?? 0) + 1,
        news: { ...news, monitors: (known?.news.monitors ?? 0) + page.joined },
      }
      this.#missed.set(person, missed)
      draft.keep({ key: `missed ${person}`, value: missed })
    }
  }

  tellDue(draft: EscalationDraft): void {
    for (const missed of this.#missed.values()) {
      const { person, endpoints, until, news } = missed
      if (until > draft.now) continue
      this.#missed.delete(person)
      draft.keep({ key: `missed ${person}`, value: null })
      draft.orders.push({
        is: 'send',
        news: { ...news, stage: 'missed' },
        endpoint: endpoints[0]!,
        incidentId: null,
        since: null,
        because: { kind: 'quiet_hours', policy: news.policy, person, until },
        later: null,
      })
    }
  }
}
