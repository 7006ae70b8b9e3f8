// views/status-pages/state-words.ts: the states and phases of status pages in words, and how they look on this page.
import type { v2 } from '@pulseward/contract'
import type { Look } from '../../components/status-words.ts'
import type { ShownState } from '../../data/status-pages.ts'

export const stateWords: Readonly<Record<ShownState, string>> = {
  operational: 'operational',
  degraded_performance: 'degraded performance',
  partial_outage: 'partial outage',
  major_outage: 'major outage',
  under_maintenance: 'under maintenance',
}

export const stateLooks: Readonly<Record<ShownState, Look>> = {
  operational: 'up',
  degraded_performance: 'degraded',
  partial_outage: 'down',
  major_outage: 'incident',
  under_maintenance: 'snoozed',
}

export const phaseWords: Readonly<Record<v2.IncidentPhase, string>> = {
  investigating: 'investigating',
  identified: 'cause identified',
  monitoring: 'monitoring',
  resolved: 'resolved',
}
