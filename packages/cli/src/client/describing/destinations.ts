// client/describing/destinations.ts: endpoints and groups for people: where they lead and whether notifications arrive there.
import type { v1, v2 } from '@pulseward/client'
import { fieldLines } from '../field-lines.ts'
import { everyRow } from '../pages.ts'
import { type Column, type Phrase, table } from '../table/block.ts'
import { listed, moment } from '../table/values.ts'
import { type Describe, ifReadable, known, next, type Reading } from './description.ts'
import { labelsOf } from './monitor.ts'

export const describeEndpoint: Describe<v2.NotificationEndpoint> = async ({ metadata, spec }, reading) => {
  const [destination = null, groups] = await Promise.all([
    destinationsOf(reading).then((all) => all.find(({ name }) => name === metadata.id)),
    groupsWith(metadata.id, reading),
  ])
  return [
    known([
      ['Endpoint', metadata.id],
      ['Name', metadata.name],
      ['State', destination?.state],
      ['Why', destination?.reason],
      ['Since', moment(destination?.since)],
      ['Driver', spec.type],
      ...fieldLines(spec.config, 'config'),
      ['Credentials', listed(Object.values(spec.credentialRefs ?? {}))],
      ['In groups', listed(groups)],
      ...ownFacts(metadata),
    ]),
    ...next(destination === null ? [] : nextOf(destination)),
  ]
}

export const describeGroup: Describe<v2.NotificationGroup> = async ({ metadata, spec }, reading) => {
  const destinations = await destinationsOf(reading)
  const members = spec.endpointRefs.map((id) => destinations.find(({ name }) => name === id) ?? { name: id })
  return [
    known([['Group', metadata.id], ['Name', metadata.name], ...ownFacts(metadata)]),
    table(memberColumns, members, { heading: 'Endpoints', empty: 'It has no endpoints.' }),
  ]
}

const memberColumns: readonly Column<Partial<v1.Destination>>[] = [
  { title: 'ENDPOINT', cell: ({ name }) => name, minimum: 11 },
  { title: 'DRIVER', cell: ({ driver }) => driver, dispensable: 1 },
  { title: 'STATE', cell: ({ state }) => state, state: true },
  { title: 'REASON', cell: ({ reason }) => reason, minimum: 16 },
]

export function ownFacts(metadata: v2.Metadata) {
  return [
    ['Labels', labelsOf(metadata)],
    ['Managed by', metadata.managedBy],
    ['Version', metadata.resourceVersion],
  ] as const
}

async function destinationsOf({ client, options }: Reading): Promise<readonly v1.Destination[]> {
  return (await ifReadable(client.v1.getQueues({}, options)))?.data.destinations ?? []
}

async function groupsWith(id: string, { client, options }: Reading): Promise<string[]> {
  const groups = await Array.fromAsync(everyRow(client.listNotificationGroups, {}, options))
  return groups.filter(({ spec }) => spec.endpointRefs.includes(id)).map(({ metadata }) => metadata.id)
}

function nextOf({ state, until, queued }: v1.Destination): (string | Phrase)[] {
  const waiting =
    queued === 1 ? ' 1 notification waits for it.' : queued > 1 ? ` ${queued} notifications wait for it.` : ''
  if (until !== null) return [['It is tried again at ', moment(until), `.${waiting}`]]
  if (state === 'dead') return [`Nothing is sent to it until its configuration changes.${waiting}`]
  return waiting === '' ? [] : [waiting.trim()]
}
