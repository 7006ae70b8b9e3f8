// config/settings/per-monitor-selector.ts: parses the selector of monitors that have metrics of their own, in
// the syntax of v2 lists. A selector without clauses is refused: it would select every monitor, which is not
// what an empty setting means.
import { v2 } from '@pulseward/contract'
import { UsageError } from '../../platform/usage-error.ts'
import { quote } from '../../platform/wording.ts'

export type Selector = v2.Selector

export function parsePerMonitorSelector(text: string): Selector {
  const read = v2.parseSelector(text)
  if ('mistake' in read)
    throw new UsageError(`metrics.per_monitor: the selector ${quote(text)} ${read.mistake}.`)
  if (read.selector.length === 0)
    throw new UsageError('metrics.per_monitor: the selector is blank; write one such as team=payments.')
  return read.selector
}
