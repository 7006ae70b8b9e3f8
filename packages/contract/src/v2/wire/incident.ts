// v2/wire/incident.ts: a time in which a monitor was unhealthy, and what people did about it.
import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Because } from './because.ts'
import { EscalationPage } from './escalation-page.ts'
import { flag, listOf, oneOf, revision, text, timestamp, wireType } from './wire-type.ts'

export const incidentStates = ['open', 'closed'] as const

export const Incident = wireType('Incident', 'A time in which a monitor was unhealthy.', {
  id: text('The incident; the same id as in v1.'),
  monitorID: text('Its monitor.'),
  revision: revision('The value for If-Match of acknowledge, dismiss and reopen.'),
  state: oneOf(
    incidentStates,
    `Open until healthy checks, or the end of its monitor, closed it. Closed ones are listed for ${limits.incidentRetentionDays} days.`,
  ),
  openedAt: Type.Optional(timestamp('When it opened.')),
  closedAt: Type.Optional(timestamp('When it closed; absent while it is open.')),
  acknowledgedBy: Type.Optional(text('Who looks into it: the name of the principal.')),
  acknowledgedAt: Type.Optional(timestamp('Since when.')),
  dismissed: Type.Optional(flag('Whether its notifications are stopped.')),
  reason: Type.Optional(text('Why it was dismissed, or the failed check that opened it, in words.')),
  because: Type.Optional(Because),
  escalation: Type.Optional(EscalationPage),
})
export const IncidentList = listOf('IncidentList', Incident)

export type Incident = Static<typeof Incident>
export type IncidentList = Static<typeof IncidentList>
