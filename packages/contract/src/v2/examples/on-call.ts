// v2/examples/on-call.ts: the page of the example incident, and the shifts of the example schedule.
import type { EscalationPage } from '../wire/escalation-page.ts'
import type { ShiftList } from '../wire/schedule.ts'

export const escalationPage: EscalationPage = {
  id: 'pag-01JQ8X4G',
  policyRef: 'page',
  state: 'acknowledged',
  severity: 'critical',
  openedAt: '2026-03-29T00:58:30.000Z',
  round: 1,
  rounds: 3,
  step: 2,
  steps: 2,
  waitsForCheck: false,
  acknowledgedBy: 'mara',
  restartsAt: '2026-03-29T04:59:10.000Z',
  leadMonitorID: 'checkout-api',
  incidents: 1,
  told: [{ personRef: 'ana', endpointRef: 'ana-push' }],
  held: [],
}

const shifts: ShiftList = {
  scheduleRef: 'primary',
  timezone: 'Europe/Berlin',
  from: '2026-03-29T01:00:05.000Z',
  to: '2026-04-06T07:00:00.000Z',
  shifts: [
    {
      from: '2026-03-29T01:00:05.000Z',
      to: '2026-03-30T07:00:00.000Z',
      personRef: 'ana',
      name: 'Ana Berg',
      isOverride: false,
    },
    {
      from: '2026-03-30T07:00:00.000Z',
      to: '2026-04-06T07:00:00.000Z',
      personRef: 'bo',
      isOverride: false,
    },
  ],
}

export const onCallExamples = { EscalationPage: escalationPage, ShiftList: shifts }
