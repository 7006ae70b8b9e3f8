// v2/wire/audience.ts: who is told about a monitor, color by color, and which rules say so.
import { type Static, Type } from 'typebox'
import { audienceRuleKinds } from '../../v1/audience.ts'
import { listing, oneOf, text, wireType } from './wire-type.ts'

export const AudienceRule = wireType('AudienceRule', 'A rule that names a destination.', {
  kind: oneOf(
    audienceRuleKinds,
    'own: spec.notifications names it. default: defaults.notify of the fleet files does. route: a route that matches does.',
  ),
  name: Type.Optional(text('The route: its id, or its place in the fleet files as routes.0.')),
  group: Type.Optional(text('The group that the destination belongs to; absent when it is named itself.')),
})

export const AudienceMember = wireType(
  'AudienceMember',
  'A destination of notifications, and why it is told.',
  {
    destination: text('The endpoint that is told.'),
    namedBy: listing(AudienceRule, 'Every rule that names it. It is told once, however many do.'),
  },
)

const told = (color: string) => Type.Optional(listing(AudienceMember, `Told of ${color}.`))

export const Audience = wireType(
  'Audience',
  'Who is told about a monitor, by color. A color is absent when nobody is told of it.',
  {
    red: told('red'),
    yellow: told('yellow'),
    green: told('green'),
    cyan: told('cyan'),
    gray: told('gray'),
    policy: Type.Optional(
      text('The escalation policy that pages people when an incident opens; absent if there is none.'),
    ),
  },
)

export type AudienceRule = Static<typeof AudienceRule>
export type AudienceMember = Static<typeof AudienceMember>
export type Audience = Static<typeof Audience>
