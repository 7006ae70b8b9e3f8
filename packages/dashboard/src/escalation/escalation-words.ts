// escalation/escalation-words.ts: where a page of a policy stands, in words. Times are left to the component that shows them.
import type { v2 } from '@pulseward/contract'

type Page = v2.EscalationPage

/** Such as: Step 2 of 3; with the round where the steps are repeated. */
export function stepInWords({ step, steps, round, rounds }: Page): string {
  return `Step ${step} of ${steps}${rounds > 1 ? `, round ${round} of ${rounds},` : ''}`
}

/** How many steps of this round are behind. */
export function stepsBehind({ state, step, steps }: Page): number {
  return state === 'spent' ? steps : step - 1
}

/** The recipients who were told, each once, with all endpoints that were used; null if there were none. */
export function toldInWords({ told }: Page, nameOf: (person: string) => string): string | null {
  const endpoints = new Map<string, string[]>()
  for (const { personRef, endpointRef } of told) {
    const key = personRef === undefined ? '' : `=${personRef}`
    endpoints.set(key, [...(endpoints.get(key) ?? []), endpointRef])
  }
  const parts = [...endpoints].flatMap(([key, used]) =>
    key === '' ? used : [`${nameOf(key.slice(1))} (${[...new Set(used)].join(', ')})`],
  )
  return parts.length === 0 ? null : parts.join('; ')
}

/** Those whose next step fires first come first, then those that a person should look at. */
export function byUrgency(pages: readonly Page[]): readonly Page[] {
  const rank: Readonly<Record<Page['state'], number>> = { running: 0, spent: 1, paused: 2, acknowledged: 3 }
  return [...pages].sort(
    (one, other) =>
      rank[one.state] - rank[other.state] ||
      (one.nextStepAt ?? one.openedAt).localeCompare(other.nextStepAt ?? other.openedAt),
  )
}
