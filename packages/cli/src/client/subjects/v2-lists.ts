// client/subjects/v2-lists.ts: what v2 lists: resources of every kind, actions and workers. A credential is
// listed without its value.
import type { v2 } from '@pulseward/client'
import { v2 as contract } from '@pulseward/contract'
import { audienceFacts } from '../audience-facts.ts'
import { recipientInWords } from '../describing/on-call.ts'
import { findKind } from '../kinds.ts'
import { type Column, facts } from '../table/block.ts'
import { listed, moment, wholeId } from '../table/values.ts'
import type { Subject } from './subject.ts'
import { listSubject } from './v2-list.ts'
import { actionWord, spaced, statusOfResource } from './words.ts'

type AnyResource = { readonly metadata: v2.Metadata }

const id: Column<AnyResource> = { title: 'ID', cell: ({ metadata }) => metadata.id, minimum: wholeId }
const trailing: readonly Column<AnyResource>[] = [
  { title: 'VERSION', cell: ({ metadata }) => metadata.resourceVersion, dispensable: 8 },
  { title: 'GENERATION', cell: ({ metadata }) => metadata.generation, wide: true, dispensable: 9 },
  {
    title: 'LABELS',
    cell: ({ metadata }) =>
      listed(Object.entries(metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`)),
    wide: true,
    minimum: 8,
    dispensable: 10,
  },
]

/** Monitors by their ids and labels, which v1 does not know. */
export const managedMonitors = listSubject<v2.Monitor>({
  aliases: [],
  summary: 'monitors as resources (v2)',
  operations: ['ListMonitors', 'GetMonitor'],
  filters: ['selector'],
  empty: 'No monitor is like this.',
  method: (client) => client.listMonitors,
  one: (client, id, options) => client.getMonitor({ id }, options),
  more: ({ status }) => (status?.audience === undefined ? [] : [facts(audienceFacts(status.audience))]),
  columns: [
    id,
    { title: 'STATUS', cell: statusOfResource, state: true },
    { title: 'NAME', cell: ({ metadata }) => metadata.name, minimum: 12, dispensable: 1 },
    { title: 'CHECK', cell: ({ spec }) => spec.check.driver.type, dispensable: 2 },
    { title: 'INTERVAL', cell: ({ spec }) => spec.check.interval, dispensable: 4 },
    { title: 'MANAGED BY', cell: ({ metadata }) => metadata.managedBy, dispensable: 5 },
    ...trailing,
  ],
})

interface Shown<Row> {
  readonly summary: string
  readonly columns: readonly Column<Row>[]
}

/** The columns of a kind in addition to the common ones. */
const shown: { readonly [Kind in contract.ResourceKind]?: Shown<Extract<v2.Resource, { kind: Kind }>> } = {
  NotificationEndpoint: {
    summary: 'destinations of notifications (v2)',
    columns: [
      { title: 'DRIVER', cell: ({ spec }) => spec.type },
      {
        title: 'CREDENTIALS',
        cell: ({ spec }) => listed(Object.values(spec.credentialRefs ?? {})),
        minimum: 11,
        dispensable: 1,
      },
    ],
  },
  NotificationGroup: {
    summary: 'endpoints that are told together (v2)',
    columns: [{ title: 'ENDPOINTS', cell: ({ spec }) => listed(spec.endpointRefs), minimum: 12 }],
  },
  Credential: {
    summary: 'secrets by name, without their values (v2)',
    columns: [
      { title: 'AVAILABLE', cell: ({ status }) => status?.available },
      { title: 'USED BY', cell: ({ status }) => listed(status?.references), minimum: 10 },
      { title: 'DESCRIPTION', cell: ({ spec }) => spec.description, minimum: 11, dispensable: 1 },
    ],
  },
  JobType: {
    summary: 'work that external workers take on (v2)',
    columns: [
      { title: 'KIND', cell: ({ spec }) => spec.kind },
      { title: 'JOB VERSION', cell: ({ spec }) => spec.version, dispensable: 1 },
      { title: 'HANDLER', cell: ({ spec }) => spec.handler, minimum: 8 },
      { title: 'TIMEOUT', cell: ({ spec }) => spec.timeout, dispensable: 2 },
    ],
  },
  Route: {
    summary: 'who is told about all monitors that match (v2)',
    columns: [
      {
        title: 'MATCH',
        cell: ({ spec }) =>
          listed(Object.entries(spec.match).map(([key, value]) => `${key}=${value}`)) ?? 'every monitor',
        minimum: 10,
      },
      { title: 'COLORS', cell: ({ spec }) => listed(spec.colors), minimum: 6 },
      {
        title: 'TELLS',
        cell: ({ spec: { groupRefs = [], endpointRefs = [] } }) => listed([...groupRefs, ...endpointRefs]),
        minimum: 8,
      },
      { title: 'POLICY', cell: ({ spec }) => spec.policyRef, dispensable: 1 },
    ],
  },
  Person: {
    summary: 'people who can be on call (v2)',
    columns: [
      { title: 'NAME', cell: ({ metadata }) => metadata.name, minimum: 8 },
      {
        title: 'ON CALL BY',
        cell: ({ status }) => listed(status?.onCall?.map(({ scheduleRef }) => scheduleRef)),
        minimum: 10,
      },
      { title: 'ENDPOINTS', cell: ({ spec }) => listed(spec.endpointRefs), minimum: 10, dispensable: 1 },
      { title: 'TIME ZONE', cell: ({ spec }) => spec.timezone, dispensable: 2 },
    ],
  },
  Schedule: {
    summary: 'who is on call when (v2)',
    columns: [
      { title: 'ON CALL', cell: ({ status }) => onCallNow(status?.onCall), minimum: 8 },
      { title: 'UNTIL', cell: ({ status }) => moment(status?.onCall?.until) },
      { title: 'NEXT', cell: ({ status }) => nextOnCall(status?.onCall), minimum: 8, dispensable: 1 },
      { title: 'TIME ZONE', cell: ({ spec }) => spec.timezone ?? 'UTC', dispensable: 2 },
    ],
  },
  Policy: {
    summary: 'who is told of an incident until a person takes care of it (v2)',
    columns: [
      { title: 'STEPS', cell: ({ spec }) => spec.steps.length },
      {
        title: 'FIRST TELLS',
        cell: ({ spec }) => listed(spec.steps[0]?.notify.map(recipientInWords)),
        minimum: 12,
      },
      { title: 'PAGES', cell: ({ status }) => status?.pages },
    ],
  },
  Calendar: {
    summary: 'addresses at which calendar programs read shifts (v2)',
    columns: [
      { title: 'SCHEDULE', cell: ({ spec }) => spec.scheduleRef },
      { title: 'PERSON', cell: ({ spec }) => spec.personRef ?? 'all people' },
    ],
  },
  StatusPage: {
    summary: 'what customers see (v2)',
    columns: [
      { title: 'TITLE', cell: ({ spec }) => spec.title, minimum: 12 },
      { title: 'HOST', cell: ({ spec }) => spec.host },
      {
        title: 'COMPONENTS',
        cell: ({ spec }) => spec.groups.reduce((count, { components }) => count + components.length, 0),
      },
    ],
  },
  StatusIncident: {
    summary: 'what people write on status pages (v2)',
    columns: [
      { title: 'PAGE', cell: ({ spec }) => spec.pageRef },
      {
        title: 'PHASE',
        cell: ({ spec }) => (spec.maintenance === undefined ? spec.updates.at(-1)?.phase : 'maintenance'),
      },
      { title: 'TITLE', cell: ({ spec }) => spec.title, minimum: 16 },
      { title: 'SINCE', cell: ({ spec }) => moment(spec.maintenance?.from ?? spec.updates[0]?.at) },
    ],
  },
  Badge: {
    summary: 'small pictures of one figure for other pages (v2)',
    columns: [
      { title: 'OF', cell: ({ spec }) => spec.componentRef ?? `monitor ${spec.monitorRef}`, minimum: 12 },
      { title: 'SHOWS', cell: ({ spec }) => spec.shows },
    ],
  },
}

function onCallNow(onCall: v2.OnCallNow | undefined): string | null {
  return onCall === undefined ? null : (onCall.name ?? onCall.personRef ?? 'no person')
}

function nextOnCall(onCall: v2.OnCallNow | undefined): string | null {
  return onCall?.until === undefined ? null : (onCall.nextName ?? onCall.nextPersonRef ?? 'no person')
}

/** The columns of kinds that have none of their own. */
const named: readonly Column<AnyResource>[] = [
  { title: 'NAME', cell: ({ metadata }) => metadata.name, minimum: 12, dispensable: 1 },
]

function resourceSubject(kind: contract.ResourceKind): [name: string, subject: Subject] {
  const { names, plural, many } = contract.kinds[kind]
  const [noun, several, ...others] = names
  const { summary = `${many} (v2)`, columns = named } = (shown[kind] ?? {}) as Partial<Shown<AnyResource>>
  const { get, list } = findKind(noun)
  const subject = listSubject<AnyResource>({
    aliases: [noun, ...others],
    summary,
    operations: [`List${plural}`, `Get${kind}`],
    filters: ['selector'],
    empty: `There is no ${noun.replaceAll('-', ' ')}.`,
    method: (client) => list!(client) as never,
    one: (client, id, options) => get(client, id, options) as never,
    columns: [id, ...columns, ...trailing],
  })
  return [several, subject]
}

/** Without monitors, which v1 and v2 show together. */
export const resources: Readonly<Record<string, Subject>> = Object.fromEntries(
  contract.resourceKinds.filter((kind) => kind !== 'Monitor').map(resourceSubject),
)

export const actions = listSubject<v2.Action>({
  aliases: ['action'],
  summary: 'recoveries and notifications on their way (v2)',
  operations: ['ListActions', 'GetAction'],
  filters: ['monitor'],
  empty: 'There is no action.',
  method: (client) => client.listActions,
  one: (client, id, options) => client.getAction({ id }, options),
  columns: [
    { title: 'ID', cell: (action) => action.id, minimum: wholeId },
    { title: 'STATE', cell: ({ state }) => state, state: true },
    { title: 'MONITOR', cell: ({ monitorID }) => monitorID, minimum: 10 },
    { title: 'REASON', cell: ({ reason }) => reason, minimum: 12 },
    { title: 'KIND', cell: ({ kind }) => actionWord(kind), dispensable: 1 },
    { title: 'OUTCOME', cell: ({ outcome }) => spaced(outcome), dispensable: 2 },
    { title: 'UPDATED', cell: ({ updatedAt }) => moment(updatedAt), dispensable: 3 },
    { title: 'REVIEW', cell: ({ review }) => review?.resolution, dispensable: 4 },
    { title: 'HELD', cell: ({ held }) => held, wide: true, dispensable: 5 },
    { title: 'INCIDENT', cell: ({ incidentID }) => incidentID, minimum: 8, wide: true, dispensable: 6 },
  ],
})

export const workers = listSubject<v2.WorkerObservation>({
  aliases: ['worker', 'external-workers'],
  summary: 'external workers as the service sees them (v2)',
  operations: ['ListWorkers'],
  filters: [],
  empty: 'No worker was seen.',
  method: (client) => client.listWorkers,
  columns: [
    { title: 'WORKER', cell: ({ workerID }) => workerID, minimum: 10 },
    { title: 'ACTIVE', cell: ({ active }) => active },
    { title: 'CAPACITY', cell: ({ capacity }) => capacity },
    { title: 'LAST SEEN', cell: ({ lastSeenAt }) => moment(lastSeenAt), dispensable: 1 },
  ],
})
