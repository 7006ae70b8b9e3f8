// client/subjects/v2-lists.ts: what v2 lists: monitors as resources, endpoints, groups, credentials, job types, actions and
// workers. A credential shows that it is there, never what it is.
import type { v2 } from '@pulseward/client'
import type { Column } from '../table/block.ts'
import { listed, moment, wholeId } from '../table/values.ts'
import { listSubject } from './v2-list.ts'

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
  columns: [
    id,
    { title: 'HEALTH', cell: ({ status }) => status?.health, state: true },
    { title: 'NAME', cell: ({ metadata }) => metadata.name, minimum: 12, dispensable: 1 },
    { title: 'CHECK', cell: ({ spec }) => spec.check.driver.type, dispensable: 2 },
    { title: 'INTERVAL', cell: ({ spec }) => spec.check.interval, dispensable: 4 },
    { title: 'ENABLED', cell: ({ spec }) => spec.enabled ?? true, dispensable: 3 },
    { title: 'MANAGED BY', cell: ({ metadata }) => metadata.managedBy, dispensable: 5 },
    ...trailing,
  ],
})

export const endpoints = listSubject<v2.NotificationEndpoint>({
  aliases: ['endpoint', 'notification-endpoints'],
  summary: 'destinations of notifications (v2)',
  operations: ['ListNotificationEndpoints', 'GetNotificationEndpoint'],
  filters: ['selector'],
  empty: 'There is no endpoint.',
  method: (client) => client.listNotificationEndpoints,
  one: (client, id, options) => client.getNotificationEndpoint({ id }, options),
  columns: [
    id,
    { title: 'DRIVER', cell: ({ spec }) => spec.type },
    {
      title: 'CREDENTIALS',
      cell: ({ spec }) => listed(Object.values(spec.credentialRefs ?? {})),
      minimum: 11,
      dispensable: 1,
    },
    ...trailing,
  ],
})

export const groups = listSubject<v2.NotificationGroup>({
  aliases: ['group', 'notification-groups'],
  summary: 'endpoints that are told together (v2)',
  operations: ['ListNotificationGroups', 'GetNotificationGroup'],
  filters: ['selector'],
  empty: 'There is no group.',
  method: (client) => client.listNotificationGroups,
  one: (client, id, options) => client.getNotificationGroup({ id }, options),
  columns: [
    id,
    { title: 'ENDPOINTS', cell: ({ spec }) => listed(spec.endpointRefs), minimum: 12 },
    ...trailing,
  ],
})

export const credentials = listSubject<v2.Credential>({
  aliases: ['credential'],
  summary: 'secrets by name, without their values (v2)',
  operations: ['ListCredentials', 'GetCredential'],
  filters: ['selector'],
  empty: 'There is no credential.',
  method: (client) => client.listCredentials,
  one: (client, id, options) => client.getCredential({ id }, options),
  columns: [
    id,
    { title: 'AVAILABLE', cell: ({ status }) => status?.available },
    { title: 'USED BY', cell: ({ status }) => listed(status?.references), minimum: 10 },
    { title: 'DESCRIPTION', cell: ({ spec }) => spec.description, minimum: 11, dispensable: 1 },
    ...trailing,
  ],
})

export const jobTypes = listSubject<v2.JobType>({
  aliases: ['job-type', 'jobtypes'],
  summary: 'work that external workers take on (v2)',
  operations: ['ListJobTypes', 'GetJobType'],
  filters: ['selector'],
  empty: 'There is no job type.',
  method: (client) => client.listJobTypes,
  one: (client, id, options) => client.getJobType({ id }, options),
  columns: [
    id,
    { title: 'KIND', cell: ({ spec }) => spec.kind },
    { title: 'JOB VERSION', cell: ({ spec }) => spec.version, dispensable: 1 },
    { title: 'HANDLER', cell: ({ spec }) => spec.handler, minimum: 8 },
    { title: 'TIMEOUT', cell: ({ spec }) => spec.timeout, dispensable: 2 },
    ...trailing,
  ],
})

export const actions = listSubject<v2.Action>({
  aliases: ['action'],
  summary: 'recoveries and notifications on their way (v2)',
  operations: ['ListActions', 'GetAction'],
  filters: ['monitor-id'],
  empty: 'There is no action.',
  method: (client) => client.listActions,
  one: (client, id, options) => client.getAction({ id }, options),
  columns: [
    { title: 'ID', cell: (action) => action.id, minimum: wholeId },
    { title: 'KIND', cell: ({ kind }) => kind, dispensable: 1 },
    { title: 'STATE', cell: ({ state }) => state, state: true },
    { title: 'HELD', cell: ({ held }) => held, dispensable: 1 },
    { title: 'MONITOR ID', cell: ({ monitorID }) => monitorID, minimum: 10 },
    { title: 'OUTCOME', cell: ({ outcome }) => outcome, dispensable: 2 },
    { title: 'UPDATED', cell: ({ updatedAt }) => moment(updatedAt), dispensable: 3 },
    { title: 'REVIEW', cell: ({ review }) => review?.resolution, dispensable: 4 },
    { title: 'INCIDENT', cell: ({ incidentID }) => incidentID, minimum: 8, wide: true, dispensable: 5 },
    { title: 'REASON', cell: ({ reason }) => reason, minimum: 10, wide: true, dispensable: 6 },
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
