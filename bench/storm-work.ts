// bench/storm-work.ts: whether a storm took place: every monitor failed and recovered, and the destinations were notified.
import type { StormShape } from './storm-fleet.ts'
import type { StormHistory } from './storm-history.ts'

/** What the providers of storm-targets.ts counted. */
export interface Arrived {
  readonly webhook: number
  readonly slack: number
  readonly recovery: number
  /** Messages of policies. */
  readonly page: number
  /** Who got one that a step sent. */
  readonly people: number
  /** The most of them that one person got in any minute. */
  readonly mostPagesInAMinute: number
}

interface StormResult {
  readonly open_seconds: number | null
  readonly close_seconds: number | null
  readonly history: Pick<StormHistory, 'opened' | 'openedAndClosed' | 'interventionsStarted' | 'paged'>
  readonly arrived: Arrived
}

export function undoneStorm(
  { monitors, recoverable, policies, people }: StormShape,
  result: StormResult,
): string[] {
  const { open_seconds, close_seconds, history, arrived } = result
  const undone: string[] = []
  if (open_seconds === null) undone.push(`Not all ${monitors} incidents were open within the storm.`)
  if (close_seconds === null) undone.push('Not every incident was closed after the storm.')
  if (history.openedAndClosed < monitors)
    undone.push(
      `${history.openedAndClosed} of ${monitors} incidents were opened and closed once in the history.`,
    )
  const silent = (['webhook', 'slack'] as const).filter((name) => arrived[name] === 0)
  if (silent.length > 0) undone.push(`Nothing arrived at ${silent.join(' and ')}.`)
  if (recoverable > 0 && arrived.recovery < history.interventionsStarted)
    undone.push(`${arrived.recovery} of ${history.interventionsStarted} started recovery actions arrived.`)
  if (policies > 0) {
    if (history.paged < history.opened)
      undone.push(`${history.paged} of ${history.opened} incidents belong to a page.`)
    if (arrived.people < people) undone.push(`${arrived.people} of ${people} people were paged.`)
    if (arrived.mostPagesInAMinute > 1)
      undone.push(`A person was paged ${arrived.mostPagesInAMinute} times in a minute.`)
  }
  return undone
}
