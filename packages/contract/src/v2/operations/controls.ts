// v2/operations/controls.ts: incidents and actions can only be read. People change them, and monitors,
// through controls; each control carries the revision that it was decided on.
import type { TSchema } from 'typebox'
import type { Answer } from '../../operation.ts'
import type { ProblemCode } from '../problems.ts'
import { Action, ActionList } from '../wire/action.ts'
import { Operation } from '../wire/apply.ts'
import { ControlRequest } from '../wire/control.ts'
import { Incident, IncidentList } from '../wire/incident.ts'
import {
  answer,
  bodyProblems,
  filteredBy,
  idParameter,
  ifMatch,
  jsonBody,
  listProblems,
  operation,
  preconditionProblems,
  servedBy,
  writeProblems,
} from './parts.ts'

const here = { id: '$response.body#/id' }
const hereAsItIs = { ...here, 'If-Match': '$response.header.ETag' }

export const controlOperations = {
  ListIncidents: rows(
    'Incidents',
    '/api/v2/incidents',
    IncidentList,
    'Lists incidents, the newest first: open ones, and those closed in the last 30 days',
  ),
  GetIncident: row('Incidents', '/api/v2/incidents/{id}', Incident, {
    summary: 'Reads an incident',
    links: { AcknowledgeIncident: hereAsItIs, DismissIncident: hereAsItIs, ReopenIncident: hereAsItIs },
  }),
  ListActions: rows('Actions', '/api/v2/actions', ActionList, 'Lists actions'),
  GetAction: row('Actions', '/api/v2/actions/{id}', Action, {
    summary: 'Reads an action',
    links: { ReviewAction: hereAsItIs },
  }),

  AcknowledgeIncident: control('Incidents', '/api/v2/incidents/{id}/acknowledge', {
    summary: 'Records who looks into an incident; nothing pauses',
    answer: answer('Acknowledged', Incident, 'written', { GetIncident: here }),
    problems: ['incidentNotActive'],
  }),
  DismissIncident: control('Incidents', '/api/v2/incidents/{id}/dismiss', {
    summary: 'Stops the notifications of an incident; checks and recovery go on',
    answer: answer('Dismissed', Incident, 'written', { GetIncident: here, ReopenIncident: hereAsItIs }),
    problems: ['incidentNotActive'],
  }),
  ReopenIncident: control('Incidents', '/api/v2/incidents/{id}/reopen', {
    summary: 'Takes back a dismissal of a still open incident; nothing is sent again',
    answer: answer('Reopened', Incident, 'written', { GetIncident: here }),
    problems: ['incidentNotActive'],
  }),
  SnoozeMonitor: control('Monitors', '/api/v2/monitors/{id}/snooze', {
    summary: 'Pauses checks, notifications and new recovery of a monitor until a deadline',
    answer: answer('Snoozed', Operation, 'done', { GetOperation: here }),
    problems: [],
  }),
  UnsnoozeMonitor: control('Monitors', '/api/v2/monitors/{id}/unsnooze', {
    summary: 'Ends the snooze of a monitor',
    answer: answer('No longer snoozed', Operation, 'done', { GetOperation: here }),
    problems: ['monitorNotSnoozed'],
  }),
  RecoverMonitor: control('Monitors', '/api/v2/monitors/{id}/recover', {
    summary: 'Asks for the recovery action of an unhealthy monitor',
    answer: answer('Asked for', Operation, 'done', { GetOperation: here }),
    problems: ['recoveryIneligible'],
  }),
  ReviewAction: control('Actions', '/api/v2/actions/{id}/review', {
    summary: 'Says what was found out about an unknown action; nothing is replayed',
    answer: answer('Reviewed', Action, 'written', { GetAction: here }),
    problems: ['actionNotUnknown', 'executorUnfenced', 'evidenceConflict'],
  }),
} as const

function rows<List extends TSchema>(tag: string, path: string, list: List, summary: string) {
  return operation({
    summary,
    method: 'GET',
    path,
    tag,
    ...servedBy,
    ...filteredBy('monitorID'),
    answers: { 200: answer('A page of the list', list, 'read') },
    problems: listProblems,
  })
}

function row<Schema extends TSchema>(
  tag: string,
  path: string,
  schema: Schema,
  { summary, links }: { summary: string; links: Answer['links'] },
) {
  return operation({
    summary,
    method: 'GET',
    path,
    tag,
    ...servedBy,
    pathParameters: idParameter,
    answers: { 200: answer('As it is now', schema, 'readOne', links) },
    problems: ['notFound'],
  })
}

function control<Answered extends Answer>(
  tag: string,
  path: string,
  what: { summary: string; answer: Answered; problems: readonly ProblemCode[] },
) {
  return operation({
    summary: what.summary,
    method: 'POST',
    path,
    tag,
    ...servedBy,
    pathParameters: idParameter,
    headers: ifMatch,
    body: jsonBody(ControlRequest),
    answers: { 200: what.answer },
    problems: ['notFound', ...bodyProblems, ...preconditionProblems, ...writeProblems, ...what.problems],
  })
}
