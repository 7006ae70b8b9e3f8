// v2/wire/route.ts: a rule that tells destinations about all monitors that match it.
import { type Static, Type } from 'typebox'
import { codes } from '../../v1/values.ts'
import { labelKeyPattern, ResourceStatus, resourceType } from './resource.ts'
import { identifier, listing, listOf, oneOf } from './wire-type.ts'

const references = (description: string) => listing(identifier('An id.'), description, { maxItems: 256 })

export const Route = resourceType(
  'Route',
  'Sends colors of all monitors that match to further destinations.',
  {
    spec: Type.Object(
      {
        match: Type.Record(Type.String({ pattern: labelKeyPattern }), Type.String({ maxLength: 256 }), {
          additionalProperties: false,
          maxProperties: 64,
          description:
            'Labels that a monitor must have, all of them; the key tag matches a tag. Without any, every monitor matches.',
        }),
        colors: listing(
          oneOf(codes, 'A color.'),
          'What is sent. Red: failed. Yellow: warning. Green: recovered. Cyan: recovery accepted. Gray: maintenance.',
          { minItems: 1, maxItems: codes.length },
        ),
        endpointRefs: Type.Optional(references('Single endpoints.')),
        groupRefs: Type.Optional(
          references(
            'Groups of endpoints. At least one endpoint or group is needed; a destination that is named twice is notified once.',
          ),
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
