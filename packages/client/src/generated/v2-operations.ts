// Made by `npm run generate` from packages/contract/src/v2. Do not edit.

import type { OperationTable } from '../core/operation-row.ts'
import type { ListMethod, Method, NoArguments } from '../core/method.ts'
import type {
  Action,
  ActionList,
  Assignments,
  Badge,
  BadgeList,
  Calendar,
  CalendarList,
  Capabilities,
  CheckTrial,
  CheckTrialRequest,
  ControlRequest,
  Credential,
  CredentialList,
  DecisionExplanation,
  DriverConfig,
  EventList,
  Explanation,
  Health,
  HeartbeatRequest,
  HeartbeatResponse,
  Incident,
  IncidentList,
  JobType,
  JobTypeList,
  LateEvidenceRequest,
  MergePatch,
  Metrics,
  Monitor,
  MonitorList,
  NoteRequest,
  NotificationEndpoint,
  NotificationEndpointList,
  NotificationGroup,
  NotificationGroupList,
  NotificationTrial,
  Operation,
  OperationCreateRequest,
  OperationList,
  Outcome,
  Person,
  PersonList,
  Policy,
  PolicyList,
  PollRequest,
  PoolList,
  PracticeSwitch,
  PracticeTarget,
  Preflight,
  PreflightRequest,
  PushKey,
  PushKeyRequest,
  QueueList,
  Receipt,
  Route,
  RouteList,
  RuntimeConfig,
  SLOView,
  Schedule,
  ScheduleList,
  ShiftList,
  SignInLink,
  StartRequest,
  StartResponse,
  State,
  StatusIncident,
  StatusIncidentList,
  StatusPage,
  StatusPageList,
  SystemList,
  UploadRequest,
  Version,
  WorkerObservationList,
} from './v2-types.ts'

export const v2Table = {
  listMonitors: { method: 'GET', path: '/api/v2/monitors', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  createMonitor: { method: 'POST', path: '/api/v2/monitors', precondition: 'If-None-Match', bodyType: 'application/json' },
  getMonitor: { method: 'GET', path: '/api/v2/monitors/{id}' },
  replaceMonitor: { method: 'PUT', path: '/api/v2/monitors/{id}', precondition: 'If-Match', bodyType: 'application/json' },
  patchMonitor: { method: 'PATCH', path: '/api/v2/monitors/{id}', precondition: 'If-Match', bodyType: 'application/merge-patch+json' },
  deleteMonitor: { method: 'DELETE', path: '/api/v2/monitors/{id}', precondition: 'If-Match' },
  listNotificationEndpoints: { method: 'GET', path: '/api/v2/notification-endpoints', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  createNotificationEndpoint: { method: 'POST', path: '/api/v2/notification-endpoints', precondition: 'If-None-Match', bodyType: 'application/json' },
  getNotificationEndpoint: { method: 'GET', path: '/api/v2/notification-endpoints/{id}' },
  replaceNotificationEndpoint: { method: 'PUT', path: '/api/v2/notification-endpoints/{id}', precondition: 'If-Match', bodyType: 'application/json' },
  patchNotificationEndpoint: { method: 'PATCH', path: '/api/v2/notification-endpoints/{id}', precondition: 'If-Match', bodyType: 'application/merge-patch+json' },
  deleteNotificationEndpoint: { method: 'DELETE', path: '/api/v2/notification-endpoints/{id}', precondition: 'If-Match' },
  listNotificationGroups: { method: 'GET', path: '/api/v2/notification-groups', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  createNotificationGroup: { method: 'POST', path: '/api/v2/notification-groups', precondition: 'If-None-Match', bodyType: 'application/json' },
  getNotificationGroup: { method: 'GET', path: '/api/v2/notification-groups/{id}' },
  replaceNotificationGroup: { method: 'PUT', path: '/api/v2/notification-groups/{id}', precondition: 'If-Match', bodyType: 'application/json' },
  patchNotificationGroup: { method: 'PATCH', path: '/api/v2/notification-groups/{id}', precondition: 'If-Match', bodyType: 'application/merge-patch+json' },
  deleteNotificationGroup: { method: 'DELETE', path: '/api/v2/notification-groups/{id}', precondition: 'If-Match' },
  listCredentials: { method: 'GET', path: '/api/v2/credentials', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  createCredential: { method: 'POST', path: '/api/v2/credentials', precondition: 'If-None-Match', bodyType: 'application/json' },
  getCredential: { method: 'GET', path: '/api/v2/credentials/{id}' },
  replaceCredential: { method: 'PUT', path: '/api/v2/credentials/{id}', precondition: 'If-Match', bodyType: 'application/json' },
  patchCredential: { method: 'PATCH', path: '/api/v2/credentials/{id}', precondition: 'If-Match', bodyType: 'application/merge-patch+json' },
  deleteCredential: { method: 'DELETE', path: '/api/v2/credentials/{id}', precondition: 'If-Match' },
  listJobTypes: { method: 'GET', path: '/api/v2/job-types', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  createJobType: { method: 'POST', path: '/api/v2/job-types', precondition: 'If-None-Match', bodyType: 'application/json' },
  getJobType: { method: 'GET', path: '/api/v2/job-types/{id}' },
  replaceJobType: { method: 'PUT', path: '/api/v2/job-types/{id}', precondition: 'If-Match', bodyType: 'application/json' },
  deleteJobType: { method: 'DELETE', path: '/api/v2/job-types/{id}', precondition: 'If-Match' },
  listIncidents: { method: 'GET', path: '/api/v2/incidents', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  getIncident: { method: 'GET', path: '/api/v2/incidents/{id}' },
  listActions: { method: 'GET', path: '/api/v2/actions', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  getAction: { method: 'GET', path: '/api/v2/actions/{id}' },
  acknowledgeIncident: { method: 'POST', path: '/api/v2/incidents/{id}/acknowledge', precondition: 'If-Match', bodyType: 'application/json' },
  dismissIncident: { method: 'POST', path: '/api/v2/incidents/{id}/dismiss', precondition: 'If-Match', bodyType: 'application/json' },
  reopenIncident: { method: 'POST', path: '/api/v2/incidents/{id}/reopen', precondition: 'If-Match', bodyType: 'application/json' },
  snoozeMonitor: { method: 'POST', path: '/api/v2/monitors/{id}/snooze', precondition: 'If-Match', bodyType: 'application/json' },
  unsnoozeMonitor: { method: 'POST', path: '/api/v2/monitors/{id}/unsnooze', precondition: 'If-Match', bodyType: 'application/json' },
  recoverMonitor: { method: 'POST', path: '/api/v2/monitors/{id}/recover', precondition: 'If-Match', bodyType: 'application/json' },
  reviewAction: { method: 'POST', path: '/api/v2/actions/{id}/review', precondition: 'If-Match', bodyType: 'application/json' },
  preflightCollection: { method: 'POST', path: '/api/v2/collections/preflight', bodyType: 'application/json' },
  createOperation: { method: 'POST', path: '/api/v2/operations', bodyType: 'application/json' },
  uploadOperation: { method: 'PUT', path: '/api/v2/operations/{id}/items', bodyType: 'application/json' },
  validateOperation: { method: 'POST', path: '/api/v2/operations/{id}/validate' },
  activateOperation: { method: 'POST', path: '/api/v2/operations/{id}/activate' },
  cancelOperation: { method: 'POST', path: '/api/v2/operations/{id}/cancel' },
  getOperation: { method: 'GET', path: '/api/v2/operations/{id}', query: ['cursor', 'limit'] },
  getState: { method: 'GET', path: '/api/v2/state' },
  getHistory: { method: 'GET', path: '/api/v2/history', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  getSLO: { method: 'GET', path: '/api/v2/slo' },
  getQueues: { method: 'GET', path: '/api/v2/queues', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  getPools: { method: 'GET', path: '/api/v2/pools', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  getSystems: { method: 'GET', path: '/api/v2/systems', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  getConfig: { method: 'GET', path: '/api/v2/config' },
  getReady: { method: 'GET', path: '/api/v2/readyz' },
  getLive: { method: 'GET', path: '/api/v2/healthz' },
  getMetrics: { method: 'GET', path: '/api/v2/metrics' },
  getCapabilities: { method: 'GET', path: '/api/v2/discovery' },
  getVersion: { method: 'GET', path: '/api/v2/version' },
  explainResource: { method: 'GET', path: '/api/v2/schemas/{id}' },
  listWorkers: { method: 'GET', path: '/api/v2/external-workers', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  workerPoll: { method: 'POST', path: '/api/v2/external-workers/poll', bodyType: 'application/json', longPoll: true },
  workerStart: { method: 'POST', path: '/api/v2/external-workers/start', bodyType: 'application/json' },
  workerHeartbeat: { method: 'POST', path: '/api/v2/external-workers/heartbeat', bodyType: 'application/json' },
  workerResult: { method: 'POST', path: '/api/v2/external-workers/result', bodyType: 'application/json' },
  workerLateEvidence: { method: 'POST', path: '/api/v2/external-workers/late-evidence', bodyType: 'application/json' },
  listOperations: { method: 'GET', path: '/api/v2/operations', query: ['cursor', 'limit', 'selector', 'monitorID', 'state'], paged: true },
  addIncidentNote: { method: 'POST', path: '/api/v2/incidents/{id}/notes', bodyType: 'application/json' },
  tryCheck: { method: 'POST', path: '/api/v2/trials/checks', bodyType: 'application/json' },
  tryNotification: { method: 'POST', path: '/api/v2/trials/notifications', bodyType: 'application/json' },
  createSignInLink: { method: 'POST', path: '/api/v2/sign-in-links' },
  getPracticeTarget: { method: 'GET', path: '/api/v2/practice-target' },
  switchPracticeTarget: { method: 'PUT', path: '/api/v2/practice-target', bodyType: 'application/json' },
  listRoutes: { method: 'GET', path: '/api/v2/routes', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  createRoute: { method: 'POST', path: '/api/v2/routes', precondition: 'If-None-Match', bodyType: 'application/json' },
  getRoute: { method: 'GET', path: '/api/v2/routes/{id}' },
  replaceRoute: { method: 'PUT', path: '/api/v2/routes/{id}', precondition: 'If-Match', bodyType: 'application/json' },
  patchRoute: { method: 'PATCH', path: '/api/v2/routes/{id}', precondition: 'If-Match', bodyType: 'application/merge-patch+json' },
  deleteRoute: { method: 'DELETE', path: '/api/v2/routes/{id}', precondition: 'If-Match' },
  listPeople: { method: 'GET', path: '/api/v2/people', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  createPerson: { method: 'POST', path: '/api/v2/people', precondition: 'If-None-Match', bodyType: 'application/json' },
  getPerson: { method: 'GET', path: '/api/v2/people/{id}' },
  replacePerson: { method: 'PUT', path: '/api/v2/people/{id}', precondition: 'If-Match', bodyType: 'application/json' },
  patchPerson: { method: 'PATCH', path: '/api/v2/people/{id}', precondition: 'If-Match', bodyType: 'application/merge-patch+json' },
  deletePerson: { method: 'DELETE', path: '/api/v2/people/{id}', precondition: 'If-Match' },
  listSchedules: { method: 'GET', path: '/api/v2/schedules', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  createSchedule: { method: 'POST', path: '/api/v2/schedules', precondition: 'If-None-Match', bodyType: 'application/json' },
  getSchedule: { method: 'GET', path: '/api/v2/schedules/{id}' },
  replaceSchedule: { method: 'PUT', path: '/api/v2/schedules/{id}', precondition: 'If-Match', bodyType: 'application/json' },
  patchSchedule: { method: 'PATCH', path: '/api/v2/schedules/{id}', precondition: 'If-Match', bodyType: 'application/merge-patch+json' },
  deleteSchedule: { method: 'DELETE', path: '/api/v2/schedules/{id}', precondition: 'If-Match' },
  listPolicies: { method: 'GET', path: '/api/v2/policies', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  createPolicy: { method: 'POST', path: '/api/v2/policies', precondition: 'If-None-Match', bodyType: 'application/json' },
  getPolicy: { method: 'GET', path: '/api/v2/policies/{id}' },
  replacePolicy: { method: 'PUT', path: '/api/v2/policies/{id}', precondition: 'If-Match', bodyType: 'application/json' },
  patchPolicy: { method: 'PATCH', path: '/api/v2/policies/{id}', precondition: 'If-Match', bodyType: 'application/merge-patch+json' },
  deletePolicy: { method: 'DELETE', path: '/api/v2/policies/{id}', precondition: 'If-Match' },
  listCalendars: { method: 'GET', path: '/api/v2/calendars', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  createCalendar: { method: 'POST', path: '/api/v2/calendars', precondition: 'If-None-Match', bodyType: 'application/json' },
  getCalendar: { method: 'GET', path: '/api/v2/calendars/{id}' },
  replaceCalendar: { method: 'PUT', path: '/api/v2/calendars/{id}', precondition: 'If-Match', bodyType: 'application/json' },
  patchCalendar: { method: 'PATCH', path: '/api/v2/calendars/{id}', precondition: 'If-Match', bodyType: 'application/merge-patch+json' },
  deleteCalendar: { method: 'DELETE', path: '/api/v2/calendars/{id}', precondition: 'If-Match' },
  listStatusPages: { method: 'GET', path: '/api/v2/status-pages', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  createStatusPage: { method: 'POST', path: '/api/v2/status-pages', precondition: 'If-None-Match', bodyType: 'application/json' },
  getStatusPage: { method: 'GET', path: '/api/v2/status-pages/{id}' },
  replaceStatusPage: { method: 'PUT', path: '/api/v2/status-pages/{id}', precondition: 'If-Match', bodyType: 'application/json' },
  patchStatusPage: { method: 'PATCH', path: '/api/v2/status-pages/{id}', precondition: 'If-Match', bodyType: 'application/merge-patch+json' },
  deleteStatusPage: { method: 'DELETE', path: '/api/v2/status-pages/{id}', precondition: 'If-Match' },
  listStatusIncidents: { method: 'GET', path: '/api/v2/status-incidents', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  createStatusIncident: { method: 'POST', path: '/api/v2/status-incidents', precondition: 'If-None-Match', bodyType: 'application/json' },
  getStatusIncident: { method: 'GET', path: '/api/v2/status-incidents/{id}' },
  replaceStatusIncident: { method: 'PUT', path: '/api/v2/status-incidents/{id}', precondition: 'If-Match', bodyType: 'application/json' },
  patchStatusIncident: { method: 'PATCH', path: '/api/v2/status-incidents/{id}', precondition: 'If-Match', bodyType: 'application/merge-patch+json' },
  deleteStatusIncident: { method: 'DELETE', path: '/api/v2/status-incidents/{id}', precondition: 'If-Match' },
  listBadges: { method: 'GET', path: '/api/v2/badges', query: ['cursor', 'limit', 'selector', 'monitorID'], paged: true },
  createBadge: { method: 'POST', path: '/api/v2/badges', precondition: 'If-None-Match', bodyType: 'application/json' },
  getBadge: { method: 'GET', path: '/api/v2/badges/{id}' },
  replaceBadge: { method: 'PUT', path: '/api/v2/badges/{id}', precondition: 'If-Match', bodyType: 'application/json' },
  patchBadge: { method: 'PATCH', path: '/api/v2/badges/{id}', precondition: 'If-Match', bodyType: 'application/merge-patch+json' },
  deleteBadge: { method: 'DELETE', path: '/api/v2/badges/{id}', precondition: 'If-Match' },
  getShifts: { method: 'GET', path: '/api/v2/schedules/{id}/shifts', query: ['from', 'to'] },
  createPushKey: { method: 'POST', path: '/api/v2/push-keys', bodyType: 'application/json' },
  explainMonitor: { method: 'GET', path: '/api/v2/monitors/{id}/explanation', query: ['at', 'endpoint'] },
  explainIncident: { method: 'GET', path: '/api/v2/incidents/{id}/explanation' },
  explainAction: { method: 'GET', path: '/api/v2/actions/{id}/explanation' },
} as const satisfies OperationTable

export interface V2Methods {
  /** Lists monitors. GET /api/v2/monitors */
  readonly listMonitors: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, MonitorList>
  /** Creates a monitor. POST /api/v2/monitors */
  readonly createMonitor: Method<{ readonly ifNoneMatch: '*'; readonly body: Monitor }, Monitor>
  /** Reads a monitor. GET /api/v2/monitors/{id} */
  readonly getMonitor: Method<{ readonly id: string }, Monitor>
  /** Replaces a monitor. PUT /api/v2/monitors/{id} */
  readonly replaceMonitor: Method<{ readonly id: string; readonly ifMatch: string; readonly body: Monitor }, Monitor>
  /** Changes parts of a monitor (JSON merge patch). PATCH /api/v2/monitors/{id} */
  readonly patchMonitor: Method<{ readonly id: string; readonly ifMatch: string; readonly body: MergePatch }, Monitor>
  /** Deletes a monitor. DELETE /api/v2/monitors/{id} */
  readonly deleteMonitor: Method<{ readonly id: string; readonly ifMatch: string }, Operation>
  /** Lists notification endpoints. GET /api/v2/notification-endpoints */
  readonly listNotificationEndpoints: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, NotificationEndpointList>
  /** Creates a notification endpoint. POST /api/v2/notification-endpoints */
  readonly createNotificationEndpoint: Method<{ readonly ifNoneMatch: '*'; readonly body: NotificationEndpoint }, NotificationEndpoint>
  /** Reads a notification endpoint. GET /api/v2/notification-endpoints/{id} */
  readonly getNotificationEndpoint: Method<{ readonly id: string }, NotificationEndpoint>
  /** Replaces a notification endpoint. PUT /api/v2/notification-endpoints/{id} */
  readonly replaceNotificationEndpoint: Method<{ readonly id: string; readonly ifMatch: string; readonly body: NotificationEndpoint }, NotificationEndpoint>
  /** Changes parts of a notification endpoint (JSON merge patch). PATCH /api/v2/notification-endpoints/{id} */
  readonly patchNotificationEndpoint: Method<{ readonly id: string; readonly ifMatch: string; readonly body: MergePatch }, NotificationEndpoint>
  /** Deletes a notification endpoint. DELETE /api/v2/notification-endpoints/{id} */
  readonly deleteNotificationEndpoint: Method<{ readonly id: string; readonly ifMatch: string }, Operation>
  /** Lists notification groups. GET /api/v2/notification-groups */
  readonly listNotificationGroups: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, NotificationGroupList>
  /** Creates a notification group. POST /api/v2/notification-groups */
  readonly createNotificationGroup: Method<{ readonly ifNoneMatch: '*'; readonly body: NotificationGroup }, NotificationGroup>
  /** Reads a notification group. GET /api/v2/notification-groups/{id} */
  readonly getNotificationGroup: Method<{ readonly id: string }, NotificationGroup>
  /** Replaces a notification group. PUT /api/v2/notification-groups/{id} */
  readonly replaceNotificationGroup: Method<{ readonly id: string; readonly ifMatch: string; readonly body: NotificationGroup }, NotificationGroup>
  /** Changes parts of a notification group (JSON merge patch). PATCH /api/v2/notification-groups/{id} */
  readonly patchNotificationGroup: Method<{ readonly id: string; readonly ifMatch: string; readonly body: MergePatch }, NotificationGroup>
  /** Deletes a notification group. DELETE /api/v2/notification-groups/{id} */
  readonly deleteNotificationGroup: Method<{ readonly id: string; readonly ifMatch: string }, Operation>
  /** Lists credentials. GET /api/v2/credentials */
  readonly listCredentials: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, CredentialList>
  /** Creates a credential. POST /api/v2/credentials */
  readonly createCredential: Method<{ readonly ifNoneMatch: '*'; readonly body: Credential }, Credential>
  /** Reads a credential. GET /api/v2/credentials/{id} */
  readonly getCredential: Method<{ readonly id: string }, Credential>
  /** Replaces a credential. PUT /api/v2/credentials/{id} */
  readonly replaceCredential: Method<{ readonly id: string; readonly ifMatch: string; readonly body: Credential }, Credential>
  /** Changes parts of a credential (JSON merge patch). PATCH /api/v2/credentials/{id} */
  readonly patchCredential: Method<{ readonly id: string; readonly ifMatch: string; readonly body: MergePatch }, Credential>
  /** Deletes a credential. DELETE /api/v2/credentials/{id} */
  readonly deleteCredential: Method<{ readonly id: string; readonly ifMatch: string }, Operation>
  /** Lists job types. GET /api/v2/job-types */
  readonly listJobTypes: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, JobTypeList>
  /** Creates a job type. POST /api/v2/job-types */
  readonly createJobType: Method<{ readonly ifNoneMatch: '*'; readonly body: JobType }, JobType>
  /** Reads a job type. GET /api/v2/job-types/{id} */
  readonly getJobType: Method<{ readonly id: string }, JobType>
  /** Replaces a job type. PUT /api/v2/job-types/{id} */
  readonly replaceJobType: Method<{ readonly id: string; readonly ifMatch: string; readonly body: JobType }, JobType>
  /** Deletes a job type. DELETE /api/v2/job-types/{id} */
  readonly deleteJobType: Method<{ readonly id: string; readonly ifMatch: string }, Operation>
  /** Lists incidents, the newest first: open ones, and those closed in the last 30 days. GET /api/v2/incidents */
  readonly listIncidents: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, IncidentList>
  /** Reads an incident. GET /api/v2/incidents/{id} */
  readonly getIncident: Method<{ readonly id: string }, Incident>
  /** Lists actions. GET /api/v2/actions */
  readonly listActions: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, ActionList>
  /** Reads an action. GET /api/v2/actions/{id} */
  readonly getAction: Method<{ readonly id: string }, Action>
  /** Records who looks into an incident; nothing pauses. POST /api/v2/incidents/{id}/acknowledge */
  readonly acknowledgeIncident: Method<{ readonly id: string; readonly ifMatch: string; readonly body: ControlRequest }, Incident>
  /** Stops the notifications of an incident; checks and recovery go on. POST /api/v2/incidents/{id}/dismiss */
  readonly dismissIncident: Method<{ readonly id: string; readonly ifMatch: string; readonly body: ControlRequest }, Incident>
  /** Takes back a dismissal of a still open incident; nothing is sent again. POST /api/v2/incidents/{id}/reopen */
  readonly reopenIncident: Method<{ readonly id: string; readonly ifMatch: string; readonly body: ControlRequest }, Incident>
  /** Pauses checks, notifications and new recovery of a monitor until a deadline. POST /api/v2/monitors/{id}/snooze */
  readonly snoozeMonitor: Method<{ readonly id: string; readonly ifMatch: string; readonly body: ControlRequest }, Operation>
  /** Ends the snooze of a monitor. POST /api/v2/monitors/{id}/unsnooze */
  readonly unsnoozeMonitor: Method<{ readonly id: string; readonly ifMatch: string; readonly body: ControlRequest }, Operation>
  /** Asks for the recovery action of an unhealthy monitor. POST /api/v2/monitors/{id}/recover */
  readonly recoverMonitor: Method<{ readonly id: string; readonly ifMatch: string; readonly body: ControlRequest }, Operation>
  /** Says what was found out about an unknown action; nothing is replayed. POST /api/v2/actions/{id}/review */
  readonly reviewAction: Method<{ readonly id: string; readonly ifMatch: string; readonly body: ControlRequest }, Action>
  /** Validates a collection and keeps nothing. POST /api/v2/collections/preflight */
  readonly preflightCollection: Method<{ readonly body: PreflightRequest }, Preflight>
  /** Opens an operation for a collection, or for a control of many monitors. POST /api/v2/operations */
  readonly createOperation: Method<{ readonly body: OperationCreateRequest }, Operation>
  /** Stages items of a collection; the same items again are accepted, changed ones are not. PUT /api/v2/operations/{id}/items */
  readonly uploadOperation: Method<{ readonly id: string; readonly body: UploadRequest }, Operation>
  /** Validates the whole collection; one error means no change. A repeated request returns what is known by then. POST /api/v2/operations/{id}/validate */
  readonly validateOperation: Method<{ readonly id: string }, Preflight>
  /** Applies what was validated, item by item in the order of dependencies; what failed undoes nothing. POST /api/v2/operations/{id}/activate */
  readonly activateOperation: Method<{ readonly id: string }, Operation>
  /** Stops what remains of an operation and undoes nothing. POST /api/v2/operations/{id}/cancel */
  readonly cancelOperation: Method<{ readonly id: string }, Operation>
  /** Reads an operation and a page of its outcomes. GET /api/v2/operations/{id} */
  readonly getOperation: Method<{ readonly id: string; readonly cursor?: string; readonly limit?: number }, Operation>
  /** Reads the state of the service and its storage. GET /api/v2/state */
  readonly getState: Method<NoArguments, State>
  /** Lists events in committed order. GET /api/v2/history */
  readonly getHistory: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, EventList>
  /** Reads how punctual checks were. GET /api/v2/slo */
  readonly getSLO: Method<NoArguments, SLOView>
  /** Lists the queues of the controller. GET /api/v2/queues */
  readonly getQueues: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, QueueList>
  /** Lists the pools of the controller. GET /api/v2/pools */
  readonly getPools: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, PoolList>
  /** Lists the stages of the controller. GET /api/v2/systems */
  readonly getSystems: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, SystemList>
  /** Reads the public settings. GET /api/v2/config */
  readonly getConfig: Method<NoArguments, RuntimeConfig>
  /** Reads the readiness; 200 also when it is not ready. GET /api/v2/readyz */
  readonly getReady: Method<NoArguments, Health>
  /** Reads the liveness of the process. GET /api/v2/healthz */
  readonly getLive: Method<NoArguments, Health>
  /** Reads all observations at once. GET /api/v2/metrics */
  readonly getMetrics: Method<NoArguments, Metrics>
  /** Reads what this service can do. GET /api/v2/discovery */
  readonly getCapabilities: Method<NoArguments, Capabilities>
  /** Reads which service this is. GET /api/v2/version */
  readonly getVersion: Method<NoArguments, Version>
  /** Explains a kind of resource or a driver. GET /api/v2/schemas/{id} */
  readonly explainResource: Method<{ readonly id: string }, Explanation>
  /** Lists external workers as the service sees them. GET /api/v2/external-workers */
  readonly listWorkers: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, WorkerObservationList>
  /** Waits for offers. POST /api/v2/external-workers/poll */
  readonly workerPoll: Method<{ readonly body: PollRequest }, Assignments>
  /** Asks for the grant to begin; given once. POST /api/v2/external-workers/start */
  readonly workerStart: Method<{ readonly body: StartRequest }, StartResponse>
  /** Says that a job still runs; the deadline stays. POST /api/v2/external-workers/heartbeat */
  readonly workerHeartbeat: Method<{ readonly body: HeartbeatRequest }, HeartbeatResponse>
  /** Reports how a job ended; the same report again gets the same receipt. POST /api/v2/external-workers/result */
  readonly workerResult: Method<{ readonly body: Outcome }, Receipt>
  /** Adds what became known after the end. POST /api/v2/external-workers/late-evidence */
  readonly workerLateEvidence: Method<{ readonly body: LateEvidenceRequest }, Receipt>
  /** Lists collections and controls of many monitors, the newest first; without outcomes of items. GET /api/v2/operations */
  readonly listOperations: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string; readonly state?: 'staging' | 'validating' | 'validated' | 'rejected' | 'applying' | 'completed' | 'partial' | 'failed' | 'cancelled' | 'expired' }, OperationList>
  /** Adds a note to the record of an incident, also after it has closed. POST /api/v2/incidents/{id}/notes */
  readonly addIncidentNote: Method<{ readonly id: string; readonly body: NoteRequest }, Incident>
  /** Runs a check once, from the service, and says what it saw; keeps nothing. POST /api/v2/trials/checks */
  readonly tryCheck: Method<{ readonly body: CheckTrialRequest }, CheckTrial>
  /** Sends one test message through an endpoint that need not exist; keeps nothing. POST /api/v2/trials/notifications */
  readonly tryNotification: Method<{ readonly body: DriverConfig }, NotificationTrial>
  /** Makes a one-time link that signs a browser in as the operator of this token; not for sessions. POST /api/v2/sign-in-links */
  readonly createSignInLink: Method<NoArguments, SignInLink>
  /** Reads the target that can be made to fail, to see an incident before one happens. GET /api/v2/practice-target */
  readonly getPracticeTarget: Method<NoArguments, PracticeTarget>
  /** Makes the practice target fail, for at most ten minutes, or answer again. PUT /api/v2/practice-target */
  readonly switchPracticeTarget: Method<{ readonly body: PracticeSwitch }, PracticeTarget>
  /** Lists routes. GET /api/v2/routes */
  readonly listRoutes: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, RouteList>
  /** Creates a route. POST /api/v2/routes */
  readonly createRoute: Method<{ readonly ifNoneMatch: '*'; readonly body: Route }, Route>
  /** Reads a route. GET /api/v2/routes/{id} */
  readonly getRoute: Method<{ readonly id: string }, Route>
  /** Replaces a route. PUT /api/v2/routes/{id} */
  readonly replaceRoute: Method<{ readonly id: string; readonly ifMatch: string; readonly body: Route }, Route>
  /** Changes parts of a route (JSON merge patch). PATCH /api/v2/routes/{id} */
  readonly patchRoute: Method<{ readonly id: string; readonly ifMatch: string; readonly body: MergePatch }, Route>
  /** Deletes a route. DELETE /api/v2/routes/{id} */
  readonly deleteRoute: Method<{ readonly id: string; readonly ifMatch: string }, Operation>
  /** Lists people. GET /api/v2/people */
  readonly listPeople: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, PersonList>
  /** Creates a person. POST /api/v2/people */
  readonly createPerson: Method<{ readonly ifNoneMatch: '*'; readonly body: Person }, Person>
  /** Reads a person. GET /api/v2/people/{id} */
  readonly getPerson: Method<{ readonly id: string }, Person>
  /** Replaces a person. PUT /api/v2/people/{id} */
  readonly replacePerson: Method<{ readonly id: string; readonly ifMatch: string; readonly body: Person }, Person>
  /** Changes parts of a person (JSON merge patch). PATCH /api/v2/people/{id} */
  readonly patchPerson: Method<{ readonly id: string; readonly ifMatch: string; readonly body: MergePatch }, Person>
  /** Deletes a person. DELETE /api/v2/people/{id} */
  readonly deletePerson: Method<{ readonly id: string; readonly ifMatch: string }, Operation>
  /** Lists schedules. GET /api/v2/schedules */
  readonly listSchedules: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, ScheduleList>
  /** Creates a schedule. POST /api/v2/schedules */
  readonly createSchedule: Method<{ readonly ifNoneMatch: '*'; readonly body: Schedule }, Schedule>
  /** Reads a schedule. GET /api/v2/schedules/{id} */
  readonly getSchedule: Method<{ readonly id: string }, Schedule>
  /** Replaces a schedule. PUT /api/v2/schedules/{id} */
  readonly replaceSchedule: Method<{ readonly id: string; readonly ifMatch: string; readonly body: Schedule }, Schedule>
  /** Changes parts of a schedule (JSON merge patch). PATCH /api/v2/schedules/{id} */
  readonly patchSchedule: Method<{ readonly id: string; readonly ifMatch: string; readonly body: MergePatch }, Schedule>
  /** Deletes a schedule. DELETE /api/v2/schedules/{id} */
  readonly deleteSchedule: Method<{ readonly id: string; readonly ifMatch: string }, Operation>
  /** Lists policies. GET /api/v2/policies */
  readonly listPolicies: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, PolicyList>
  /** Creates a policy. POST /api/v2/policies */
  readonly createPolicy: Method<{ readonly ifNoneMatch: '*'; readonly body: Policy }, Policy>
  /** Reads a policy. GET /api/v2/policies/{id} */
  readonly getPolicy: Method<{ readonly id: string }, Policy>
  /** Replaces a policy. PUT /api/v2/policies/{id} */
  readonly replacePolicy: Method<{ readonly id: string; readonly ifMatch: string; readonly body: Policy }, Policy>
  /** Changes parts of a policy (JSON merge patch). PATCH /api/v2/policies/{id} */
  readonly patchPolicy: Method<{ readonly id: string; readonly ifMatch: string; readonly body: MergePatch }, Policy>
  /** Deletes a policy. DELETE /api/v2/policies/{id} */
  readonly deletePolicy: Method<{ readonly id: string; readonly ifMatch: string }, Operation>
  /** Lists calendars. GET /api/v2/calendars */
  readonly listCalendars: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, CalendarList>
  /** Creates a calendar. POST /api/v2/calendars */
  readonly createCalendar: Method<{ readonly ifNoneMatch: '*'; readonly body: Calendar }, Calendar>
  /** Reads a calendar. GET /api/v2/calendars/{id} */
  readonly getCalendar: Method<{ readonly id: string }, Calendar>
  /** Replaces a calendar. PUT /api/v2/calendars/{id} */
  readonly replaceCalendar: Method<{ readonly id: string; readonly ifMatch: string; readonly body: Calendar }, Calendar>
  /** Changes parts of a calendar (JSON merge patch). PATCH /api/v2/calendars/{id} */
  readonly patchCalendar: Method<{ readonly id: string; readonly ifMatch: string; readonly body: MergePatch }, Calendar>
  /** Deletes a calendar. DELETE /api/v2/calendars/{id} */
  readonly deleteCalendar: Method<{ readonly id: string; readonly ifMatch: string }, Operation>
  /** Lists status pages. GET /api/v2/status-pages */
  readonly listStatusPages: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, StatusPageList>
  /** Creates a status page. POST /api/v2/status-pages */
  readonly createStatusPage: Method<{ readonly ifNoneMatch: '*'; readonly body: StatusPage }, StatusPage>
  /** Reads a status page. GET /api/v2/status-pages/{id} */
  readonly getStatusPage: Method<{ readonly id: string }, StatusPage>
  /** Replaces a status page. PUT /api/v2/status-pages/{id} */
  readonly replaceStatusPage: Method<{ readonly id: string; readonly ifMatch: string; readonly body: StatusPage }, StatusPage>
  /** Changes parts of a status page (JSON merge patch). PATCH /api/v2/status-pages/{id} */
  readonly patchStatusPage: Method<{ readonly id: string; readonly ifMatch: string; readonly body: MergePatch }, StatusPage>
  /** Deletes a status page. DELETE /api/v2/status-pages/{id} */
  readonly deleteStatusPage: Method<{ readonly id: string; readonly ifMatch: string }, Operation>
  /** Lists status incidents. GET /api/v2/status-incidents */
  readonly listStatusIncidents: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, StatusIncidentList>
  /** Creates a status incident. POST /api/v2/status-incidents */
  readonly createStatusIncident: Method<{ readonly ifNoneMatch: '*'; readonly body: StatusIncident }, StatusIncident>
  /** Reads a status incident. GET /api/v2/status-incidents/{id} */
  readonly getStatusIncident: Method<{ readonly id: string }, StatusIncident>
  /** Replaces a status incident. PUT /api/v2/status-incidents/{id} */
  readonly replaceStatusIncident: Method<{ readonly id: string; readonly ifMatch: string; readonly body: StatusIncident }, StatusIncident>
  /** Changes parts of a status incident (JSON merge patch). PATCH /api/v2/status-incidents/{id} */
  readonly patchStatusIncident: Method<{ readonly id: string; readonly ifMatch: string; readonly body: MergePatch }, StatusIncident>
  /** Deletes a status incident. DELETE /api/v2/status-incidents/{id} */
  readonly deleteStatusIncident: Method<{ readonly id: string; readonly ifMatch: string }, Operation>
  /** Lists badges. GET /api/v2/badges */
  readonly listBadges: ListMethod<{ readonly cursor?: string; readonly limit?: number; readonly selector?: string; readonly monitorID?: string }, BadgeList>
  /** Creates a badge. POST /api/v2/badges */
  readonly createBadge: Method<{ readonly ifNoneMatch: '*'; readonly body: Badge }, Badge>
  /** Reads a badge. GET /api/v2/badges/{id} */
  readonly getBadge: Method<{ readonly id: string }, Badge>
  /** Replaces a badge. PUT /api/v2/badges/{id} */
  readonly replaceBadge: Method<{ readonly id: string; readonly ifMatch: string; readonly body: Badge }, Badge>
  /** Changes parts of a badge (JSON merge patch). PATCH /api/v2/badges/{id} */
  readonly patchBadge: Method<{ readonly id: string; readonly ifMatch: string; readonly body: MergePatch }, Badge>
  /** Deletes a badge. DELETE /api/v2/badges/{id} */
  readonly deleteBadge: Method<{ readonly id: string; readonly ifMatch: string }, Operation>
  /** Reads who is on call by a schedule from one moment to another, gaps included. GET /api/v2/schedules/{id}/shifts */
  readonly getShifts: Method<{ readonly id: string; readonly from?: string; readonly to?: string }, ShiftList>
  /** Makes a key for a job that reports by itself, as the value of a new credential; tells it only here. POST /api/v2/push-keys */
  readonly createPushKey: Method<{ readonly body: PushKeyRequest }, PushKey>
  /** Explains why a monitor is as it is, or was, and who heard of it. GET /api/v2/monitors/{id}/explanation */
  readonly explainMonitor: Method<{ readonly id: string; readonly at?: string; readonly endpoint?: string }, DecisionExplanation>
  /** Explains why an incident opened, how it ended, and who heard of it. GET /api/v2/incidents/{id}/explanation */
  readonly explainIncident: Method<{ readonly id: string }, DecisionExplanation>
  /** Explains why an action was queued, what it waits for, or how it ended. GET /api/v2/actions/{id}/explanation */
  readonly explainAction: Method<{ readonly id: string }, DecisionExplanation>
}
