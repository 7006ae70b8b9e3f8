// v1/locations.ts: the places besides the service itself at which monitors are checked, and the probes there.
import { type Static, Type } from 'typebox'
import { Count, field, oneOf, Text, Timestamp } from './values.ts'

export const probeStates = ['connected', 'draining', 'overloaded'] as const
export type ProbeState = (typeof probeStates)[number]

export const LocationProbe = Type.Object(
  {
    name: field(Text, 'What people call it; mostly the name of its machine.'),
    principal: field(Text, 'The principal whose token it uses.'),
    version: field(Text, 'The version of Pulseward that it runs.'),
    connected_since: field(Timestamp, 'When it connected.'),
    state: field(
      oneOf(probeStates),
      'draining: it stops when its checks have ended. overloaded: it starts checks late, and gets none.',
    ),
    monitors: field(Count, 'The monitors whose definitions it has.'),
    in_flight: field(Count, 'The checks that it was asked for and that have not ended.'),
  },
  { description: 'A probe that is connected.' },
)
export type LocationProbe = Static<typeof LocationProbe>

export const Location = Type.Object(
  {
    name: field(Text, 'The location, as monitors name it.'),
    probes: Type.Array(LocationProbe, {
      description: 'The connected ones. While there are none, the monitors of the location are unknown.',
    }),
  },
  { description: 'A place besides the service itself at which monitors are checked.' },
)
export type Location = Static<typeof Location>
