// v2/operations/incident-notes.ts: what people add to the record of an incident, open or closed. A note changes nothing
// that others decide on, so it needs no precondition.
import { NoteRequest } from '../wire/control.ts'
import { Incident } from '../wire/incident.ts'
import { answer, bodyProblems, idParameter, jsonBody, operation, servedBy, writeProblems } from './parts.ts'

export const incidentNoteAdditions = {
  AddIncidentNote: operation({
    summary: 'Adds a note to the record of an incident, also after it has closed',
    method: 'POST',
    path: '/api/v2/incidents/{id}/notes',
    tag: 'Incidents',
    ...servedBy,
    pathParameters: idParameter,
    body: jsonBody(NoteRequest),
    answers: {
      200: answer('Noted', Incident, 'written', { GetIncident: { id: '$response.body#/id' } }),
    },
    problems: ['notFound', ...bodyProblems, ...writeProblems],
  }),
} as const
