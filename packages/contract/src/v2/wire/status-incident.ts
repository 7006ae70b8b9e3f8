// v2/wire/status-incident.ts: what people write on a status page: of an incident, how it goes on; of maintenance, when it is.
import { type Static, Type } from 'typebox'
import { ResourceStatus, resourceType } from './resource.ts'
import { shownText, statusIdPattern } from './status-page.ts'
import { listing, listOf, oneOf, textOfBytes, timestamp, wireType } from './wire-type.ts'

/** How far an incident has come. */
export const incidentPhases = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export type IncidentPhase = (typeof incidentPhases)[number]

/** What a written incident can say of a component. */
export const writtenStates = [
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const
export type WrittenState = (typeof writtenStates)[number]

const markdown = (description: string) =>
  textOfBytes(
    `${description} Markdown: paragraphs, lists, emphasis, code and links; anything else is shown as it is written.`,
    { minLength: 1, maxBytes: 16_384 },
  )

export const AffectedComponent = wireType('AffectedComponent', 'A component that it is about.', {
  id: Type.String({ pattern: statusIdPattern, description: 'A component of the page.' }),
  state: Type.Optional(
    oneOf(
      writtenStates,
      'What the page says of it until it is resolved, whatever its monitors say. Needed for an incident; maintenance has none.',
    ),
  ),
})

export const StatusUpdate = wireType('StatusUpdate', 'One message of it.', {
  at: timestamp('When it is said. One in the future is shown from then on.'),
  phase: Type.Optional(
    oneOf(incidentPhases, 'How far it has come. Needed for an incident; maintenance has none.'),
  ),
  text: markdown('What customers read.'),
})

export const PlannedTime = wireType('PlannedTime', 'From when to when.', {
  from: timestamp('When it begins.'),
  until: timestamp('When it ends. To end it early, change this.'),
})

export const StatusIncident = resourceType(
  'StatusIncident',
  'An incident or maintenance that people write about on a status page.',
  {
    spec: Type.Object(
      {
        pageRef: Type.String({ pattern: statusIdPattern, description: 'The page on which it stands.' }),
        title: shownText('What it is about.', 256),
        components: Type.Optional(
          listing(AffectedComponent, 'The components that it touches.', { maxItems: 256 }),
        ),
        updates: listing(StatusUpdate, 'What was said, the oldest first.', { maxItems: 64 }),
        maintenance: Type.Optional(PlannedTime),
        postmortem: Type.Optional(markdown('What was learned; shown once it is resolved.')),
      },
      { additionalProperties: false, description: 'What customers read about it.' },
    ),
    status: ResourceStatus,
  },
)
export const StatusIncidentList = listOf('StatusIncidentList', StatusIncident)

export type AffectedComponent = Static<typeof AffectedComponent>
export type StatusUpdate = Static<typeof StatusUpdate>
export type StatusIncident = Static<typeof StatusIncident>
export type StatusIncidentList = Static<typeof StatusIncidentList>
