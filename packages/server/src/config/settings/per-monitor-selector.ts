// config/settings/per-monitor-selector.ts: reads the selector of monitors that have metrics of their own. It is the
// selector of lists in v2; one without clauses would be every monitor, which nobody means by leaving it empty.
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
