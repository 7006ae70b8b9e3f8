// v2/examples/life.ts: what happens to the example monitor: an incident, an action whose outcome is unknown, events.
import type { Action, ActionList } from '../wire/action.ts'
import type { ControlRequest, NoteRequest } from '../wire/control.ts'
import type { Event, EventList } from '../wire/event.ts'
import type { Incident, IncidentList } from '../wire/incident.ts'
import { escalationPage } from './on-call.ts'
import { pageOf } from './page.ts'

const incident: Incident = {
  id: 'inc-01JQ8X4A',
  monitorID: 'checkout-api',
  revision: '3',
  state: 'open',
  openedAt: '2026-03-29T00:58:30.000Z',
  acknowledgedBy: 'mara',
  acknowledgedAt: '2026-03-29T00:59:10.000Z',
  dismissed: false,
  reason: 'status 503 instead of 200',
  because: {
    kind: 'recovery_failed',
    actionID: 'act-01JQ8X4B',
    outcome: 'unknown',
    failure: 'status 503 instead of 200',
    failureClass: 'failure',
    failingMs: 90_000,
  },
  escalation: escalationPage,
}

const action: Action = {
  id: 'act-01JQ8X4B',
  monitorID: 'checkout-api',
  incarnationUID: '01JQ8X3V5R7T9W1Y3A5C7E9G1J',
  incidentID: 'inc-01JQ8X4A',
  state: 'unknown',
  kind: 'intervention',
  executionID: 'exe-01JQ8X4C',
  executionRevision: '9031',
  reviewRevision: '2',
  held: true,
  createdAt: '2026-03-29T00:58:00.000Z',
  updatedAt: '2026-03-29T00:58:20.000Z',
  reason: 'the connection was lost after the request had been sent',
  outcome: 'interrupted',
  because: { kind: 'threshold', failures: 3, threshold: 3 },
  endedBecause: { kind: 'interrupted' },
  receiptID: 'rcp-01JQ8X4D',
  review: {
    revision: '2',
    resolution: 'inconclusive',
    actor: 'mara',
    reviewedAt: '2026-03-29T01:10:00.000Z',
    reason: 'the runbook log has no entry for it',
    evidenceRefs: ['https://runbooks.test/log/2026-03-29'],
  },
}

const event: Event = {
  id: '18733',
  monitorID: 'checkout-api',
  kind: 'control_acknowledged',
  time: '2026-03-29T00:59:10.000Z',
  actor: 'mara',
  note: 'looking into it',
  because: { kind: 'control', verb: 'acknowledge', actor: 'mara' },
  incidentID: 'inc-01JQ8X4A',
}

const written: Event = {
  id: '18734',
  monitorID: 'checkout-api',
  kind: 'resource_updated',
  resource: { kind: 'Monitor', id: 'checkout-api', uid: '01JQ8X3V5R7T9W1Y3A5C7E9G1J' },
  changes: [
    { field: '/spec/check/interval', before: '"60s"', after: '"30s"' },
    { field: '/spec/repeat', after: '"1h"' },
  ],
  time: '2026-03-29T01:00:04.000Z',
  actor: 'mara',
}

const control: ControlRequest = { revision: '7', reason: 'planned work on the database', duration: '2h' }

const note: NoteRequest = { text: 'The pool of connections was full; raised to 200.' }

export const lifeExamples = {
  Incident: incident,
  IncidentList: pageOf(incident) satisfies IncidentList,
  Action: action,
  ActionList: pageOf(action) satisfies ActionList,
  Event: event,
  EventList: pageOf(event, written) satisfies EventList,
  ControlRequest: control,
  NoteRequest: note,
}
