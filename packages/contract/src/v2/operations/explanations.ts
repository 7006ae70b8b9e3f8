// v2/operations/explanations.ts: why a monitor is as it is, why an incident opened and who heard of it, and why a recovery or a
// notification was queued, waits or ended.
import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { DecisionExplanation } from '../wire/decision-explanation.ts'
import { timestamp } from '../wire/wire-type.ts'
import { answer, idParameter, operation, servedBy } from './parts.ts'

const asked = Type.Object(
  {
    at: Type.Optional(timestamp('An earlier moment, which is explained from the log; now if absent.')),
    endpoint: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.idCharacters,
        description: 'Explains what this destination heard of it, or why it heard nothing.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const explanationOperations = {
  ExplainMonitor: operation({
    summary: 'Explains why a monitor is as it is, or was, and who heard of it',
    method: 'GET',
    path: '/api/v2/monitors/{id}/explanation',
    tag: 'Monitors',
    ...servedBy,
    pathParameters: idParameter,
    queryParameters: asked,
    answers: { 200: answer('The rules in their order, and what comes next', DecisionExplanation, 'read') },
    problems: ['notFound', 'invalidParameter'],
  }),
  ExplainIncident: operation({
    summary: 'Explains why an incident opened, how it ended, and who heard of it',
    method: 'GET',
    path: '/api/v2/incidents/{id}/explanation',
    tag: 'Incidents',
    ...servedBy,
    pathParameters: idParameter,
    answers: { 200: answer('The rules in their order, and what comes next', DecisionExplanation, 'read') },
    problems: ['notFound'],
  }),
  ExplainAction: operation({
    summary: 'Explains why an action was queued, what it waits for, or how it ended',
    method: 'GET',
    path: '/api/v2/actions/{id}/explanation',
    tag: 'Actions',
    ...servedBy,
    pathParameters: idParameter,
    answers: { 200: answer('The rules in their order, and what comes next', DecisionExplanation, 'read') },
    problems: ['notFound'],
  }),
} as const
