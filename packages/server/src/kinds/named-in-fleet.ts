// kinds/named-in-fleet.ts: what in the running fleet or in files refers to something: as a destination of notifications,
// or as something that drivers use. Monitors are not listed by name, since finding them would walk over the fleet.
import { v2 } from '@pulseward/contract'
import type { Destinations } from '../config/fleet-file/destinations.ts'
import type { RecipientDefinition } from '../config/fleet-file/on-call.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { ManagedKind, Running } from './kind.ts'

type FromFiles = Pick<Running, 'files'>

export const someMonitors = 'some monitors'

/** A resource as sentences name it. */
export function userOf(kind: ManagedKind, id: string): string {
  return `${v2.kinds[kind].noun}/${id}`
}

export function usersOfDestination(
  { fleet, files }: Running,
  part: keyof Destinations,
  id: string,
): string[] {
  const isNamed = fleet.someHas('notifications', ({ colors }) =>
    Object.values(colors).some((destinations) => destinations[part].includes(id)),
  )
  const routes = files.routes.filter(({ destinations }) => destinations[part].includes(id))
  return [
    ...routes.map(({ name }) => userOf('Route', name)),
    ...policiesNaming({ files }, part === 'groups' ? 'group' : 'endpoint', id),
    ...(isNamed ? [someMonitors] : []),
  ]
}

/** People of files. */
export function peopleWith({ files }: FromFiles, endpoint: string): string[] {
  const people = [...files.people].filter(([, { endpoints }]) => endpoints.includes(endpoint))
  return people.map(([id]) => userOf('Person', id))
}

/** Schedules and policies of files. */
export function usersOfPerson(running: FromFiles, person: string): string[] {
  const schedules = [...running.files.schedules].filter(
    ([, { layers, overrides }]) =>
      layers.some(({ people }) => people.includes(person)) || overrides.some((one) => one.person === person),
  )
  return [...schedules.map(([id]) => userOf('Schedule', id)), ...policiesNaming(running, 'person', person)]
}

/** Policies of files. */
export function policiesNaming(
  { files }: FromFiles,
  kind: RecipientDefinition['kind'],
  id: string,
): string[] {
  const policies = [...files.escalationPolicies].filter(([, { steps, lastResort }]) => {
    const inSteps = steps.some(({ notify }) => notify.some((one) => one.kind === kind && one.name === id))
    const others = kind === 'group' ? lastResort.groups : kind === 'endpoint' ? lastResort.endpoints : []
    return inSteps || others.includes(id)
  })
  return policies.map(([name]) => userOf('Policy', name))
}

export function usersOfPolicy({ fleet, files }: Running, id: string): string[] {
  const routes = files.routes.filter(({ policy }) => policy === id)
  const isNamed = fleet.someHas(
    'notifications',
    ({ policy, defaultPolicy }) => policy === id || defaultPolicy === id,
  )
  return [...routes.map(({ name }) => userOf('Route', name)), ...(isNamed ? [someMonitors] : [])]
}

/** Badges of files. */
export function badgesOf({ files }: FromFiles, page: string): string[] {
  const badges = [...files.badges].filter(([, { subject }]) => 'page' in subject && subject.page === page)
  return badges.map(([id]) => userOf('Badge', id))
}

/** Groups of files. */
export function groupsWith({ files }: Running, endpoint: string): string[] {
  const groups = [...files.groups].filter(([, members]) => members.includes(endpoint))
  return groups.map(([id]) => userOf('NotificationGroup', id))
}

/** `name`: the name of the credential or job type in the running fleet. */
export function driversUsing({ fleet }: { readonly fleet: Fleet }, name: string): string[] {
  const isUsed = fleet.loaded && !fleet.rowsWithCredential(name)[Symbol.iterator]().next().done
  return isUsed ? [someMonitors] : []
}
