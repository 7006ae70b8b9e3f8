// v1/audience.ts: who is told about a monitor, color by color, and which rules say so.
import { type Static, Type } from 'typebox'
import { codes, field, nullable, oneOf, Text } from './values.ts'

/** The rules of the monitor itself, the default of the fleet files, and a route that matches it. */
export const audienceRuleKinds = ['own', 'default', 'route'] as const

export const AudienceRule = Type.Object(
  {
    kind: field(
      oneOf(audienceRuleKinds),
      'own: the monitor names it. default: defaults.notify of the fleet files does. route: a route that matches does.',
    ),
    name: nullable(Text, 'The route: its id, or its place in the fleet files as routes.0.'),
    group: nullable(Text, 'The group that the destination belongs to; null when it is named itself.'),
  },
  { description: 'A rule that names a destination.' },
)

export const AudienceMember = Type.Object(
  {
    destination: field(Text, 'The endpoint that is told.'),
    named_by: Type.Array(AudienceRule, {
      minItems: 1,
      description: 'Every rule that names it. It is told once, however many do.',
    }),
  },
  { description: 'A destination of notifications, and why it is told.' },
)

const byColor = Object.fromEntries(
  codes.map((color) => [
    color,
    Type.Array(AudienceMember, { description: `Told of ${color}; empty when nobody is.` }),
  ]),
) as Record<(typeof codes)[number], ReturnType<typeof Type.Array<typeof AudienceMember>>>

export const Audience = Type.Object(
  {
    ...byColor,
    policy: Type.Optional(
      field(Text, 'The escalation policy that pages people when an incident opens; absent if there is none.'),
    ),
  },
  { description: 'Who is told about a monitor, by color. Every color is present.' },
)

export type AudienceRule = Static<typeof AudienceRule>
export type AudienceMember = Static<typeof AudienceMember>
export type Audience = Static<typeof Audience>
