// v2/operations/resources.ts: the 29 operations on what people write: monitors, endpoints, groups, credentials, job
// types. Job types have no patch.
import { Credential, CredentialList } from '../wire/credential.ts'
import { JobType, JobTypeList } from '../wire/job-type.ts'
import { Monitor, MonitorList } from '../wire/monitor.ts'
import {
  NotificationEndpoint,
  NotificationEndpointList,
  NotificationGroup,
  NotificationGroupList,
} from '../wire/notification.ts'
import { create, get, list, patch, type ResourceFamily, remove, replace } from './resource-verbs.ts'

const monitors: ResourceFamily<typeof Monitor, typeof MonitorList> = {
  kind: 'Monitor',
  one: 'a monitor',
  many: 'monitors',
  tag: 'Monitors',
  path: '/api/v2/monitors',
  schema: Monitor,
  list: MonitorList,
  inFiles: true,
  next: ['Get', 'Replace', 'Patch', 'Delete'],
}

const endpoints: ResourceFamily<typeof NotificationEndpoint, typeof NotificationEndpointList> = {
  kind: 'NotificationEndpoint',
  one: 'a notification endpoint',
  many: 'notification endpoints',
  tag: 'Notification endpoints',
  path: '/api/v2/notification-endpoints',
  schema: NotificationEndpoint,
  list: NotificationEndpointList,
  inFiles: true,
  next: ['Get', 'Replace', 'Patch', 'Delete'],
}

const groups: ResourceFamily<typeof NotificationGroup, typeof NotificationGroupList> = {
  kind: 'NotificationGroup',
  one: 'a notification group',
  many: 'notification groups',
  tag: 'Notification groups',
  path: '/api/v2/notification-groups',
  schema: NotificationGroup,
  list: NotificationGroupList,
  inFiles: true,
  next: ['Get', 'Replace', 'Patch', 'Delete'],
}

const credentials: ResourceFamily<typeof Credential, typeof CredentialList> = {
  kind: 'Credential',
  one: 'a credential',
  many: 'credentials',
  tag: 'Credentials',
  path: '/api/v2/credentials',
  schema: Credential,
  list: CredentialList,
  next: ['Get', 'Replace', 'Patch', 'Delete'],
}

const jobTypes: ResourceFamily<typeof JobType, typeof JobTypeList> = {
  kind: 'JobType',
  one: 'a job type',
  many: 'job types',
  tag: 'Job types',
  path: '/api/v2/job-types',
  schema: JobType,
  list: JobTypeList,
  next: ['Get', 'Replace', 'Delete'],
  build: 'external_jobs',
}

export const resourceOperations = {
  ListMonitors: list(monitors),
  CreateMonitor: create(monitors),
  GetMonitor: get(monitors),
  ReplaceMonitor: replace(monitors),
  PatchMonitor: patch(monitors),
  DeleteMonitor: remove(monitors),

  ListNotificationEndpoints: list(endpoints),
  CreateNotificationEndpoint: create(endpoints),
  GetNotificationEndpoint: get(endpoints),
  ReplaceNotificationEndpoint: replace(endpoints),
  PatchNotificationEndpoint: patch(endpoints),
  DeleteNotificationEndpoint: remove(endpoints),

  ListNotificationGroups: list(groups),
  CreateNotificationGroup: create(groups),
  GetNotificationGroup: get(groups),
  ReplaceNotificationGroup: replace(groups),
  PatchNotificationGroup: patch(groups),
  DeleteNotificationGroup: remove(groups),

  ListCredentials: list(credentials),
  CreateCredential: create(credentials),
  GetCredential: get(credentials),
  ReplaceCredential: replace(credentials),
  PatchCredential: patch(credentials),
  DeleteCredential: remove(credentials),

  ListJobTypes: list(jobTypes),
  CreateJobType: create(jobTypes),
  GetJobType: get(jobTypes),
  ReplaceJobType: replace(jobTypes),
  DeleteJobType: remove(jobTypes),
} as const
