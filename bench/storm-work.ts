// bench/storm-work.ts: whether a storm took place: every monitor failed and recovered, and the destinations were notified.
import type { StormShape } from './storm-fleet.ts'
import type { StormHistory } from './storm-history.ts'

/** What the providers of storm-targets.ts counted. */
export interface Arrived {
  readonly webhook: number
  readonly slack: number
  readonly recovery: number
}

interface StormResult {
  readonly open_seconds: number | null
  readonly close_seconds: number | null
  readonly history: Pick<StormHistory, 'openedAndClosed' | 'interventionsStarted'>
  readonly arrived: Arrived
}

export function undoneStorm({ monitors, recoverable }: StormShape, result: StormResult): string[] {
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
  return undone
}
