// v1/processes.ts: the processes that share a store in PostgreSQL: one is active, the others stand by for it.
import { type Static, Type } from 'typebox'
import { Flag, field, oneOf, Text } from './values.ts'

export const processRoles = ['active', 'standby'] as const
export type ProcessRole = (typeof processRoles)[number]

const place = {
  name: field(Text, 'The name of its machine.'),
  url: field(Text, 'Its public URL, or else the address that it listens on.'),
}

/** Told by a process that stands by: where to ask instead. */
export const ActiveProcess = Type.Union([Type.Object(place), Type.Null()], {
  description: 'The process that is active, from one that stands by; null if it is not known.',
})

export const ServiceProcess = Type.Object(
  {
    ...place,
    role: field(oneOf(processRoles), 'Whether it is the active one.'),
    same_files: field(Flag, 'Its fleet files are those of the active one. If not, it does not take over.'),
  },
  { description: 'A process of the service.' },
)
export type ServiceProcess = Static<typeof ServiceProcess>
