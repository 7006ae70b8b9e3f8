// explaining/explain-monitor.ts: why a monitor is as it is, or was, and who heard of it: one sentence, each rule in its order,
// and what comes next.
import type { v2 } from '@pulseward/contract'
import { timestamp } from '../platform/wire.ts'
import { comingOfMonitor } from './coming.ts'
import { comingChanges } from './explained.ts'
import type { MonitorFacts } from './monitor-facts.ts'
import { monitorRules } from './monitor-rules.ts'
import { heardSentence, stateSentence } from './monitor-words.ts'
import { routeRules } from './route-rules.ts'
import { toldRules } from './told-rules.ts'

export function explainMonitor(facts: MonitorFacts): v2.DecisionExplanation {
  const { at, configured, endpoint, id, incident } = facts
  return {
    kind: 'Monitor',
    id,
    at: timestamp(at),
    summary: endpoint === null ? stateSentence(facts) : heardSentence(facts, endpoint),
    monitorID: id,
    ...(incident === null ? {} : { incidentID: incident.id }),
    rules: [...monitorRules(facts), ...routeRules(configured, endpoint), ...toldRules(facts)],
    next: comingChanges(comingOfMonitor(facts)),
  }
}
