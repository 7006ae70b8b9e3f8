// v2/wire/route.ts: a rule that tells destinations about all monitors that match it, or gives them an escalation policy.
import { type Static, Type } from 'typebox'
import { codes } from '../../v1/values.ts'
import { labelKeyPattern, ResourceStatus, resourceType } from './resource.ts'
import { identifier, listing, listOf, oneOf } from './wire-type.ts'

const references = (description: string) => listing(identifier('An id.'), description, { maxItems: 256 })

export const Route = resourceType(
  'Route',
  'Sends colors of all monitors that match to further destinations, or gives them a policy.',
  {
    spec: Type.Object(
      {
        match: Type.Record(Type.String({ pattern: labelKeyPattern }), Type.String({ maxLength: 256 }), {
          additionalProperties: false,
          maxProperties: 64,
          description:
            'Labels that a monitor must have, all of them; the key tag matches a tag. Without any, every monitor matches.',
        }),
        colors: Type.Optional(
          listing(
            oneOf(codes, 'A color.'),
            'What is sent to its destinations. Red: failed. Yellow: warning. Green: recovered. Cyan: recovery accepted. Gray: maintenance.',
            { minItems: 1, maxItems: codes.length },
          ),
        ),
        endpointRefs: Type.Optional(references('Single endpoints.')),
        groupRefs: Type.Optional(
          references('Groups of endpoints. A destination that is named twice is notified once.'),
        ),
        policyRef: Type.Optional(
          identifier(
            'The escalation policy of its monitors that name none. A route has destinations with colors, a policy, or both.',
          ),
        ),
        order: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 1_000_000,
            description:
              'Of several routes that match and name a policy, the one with the lowest order counts, then the one whose id comes first; 0 unless given.',
          }),
        ),
      },
      { additionalProperties: false, description: 'Which monitors, which colors, and who is notified.' },
    ),
    status: ResourceStatus,
  },
)
export const RouteList = listOf('RouteList', Route)

export type Route = Static<typeof Route>
export type RouteList = Static<typeof RouteList>
