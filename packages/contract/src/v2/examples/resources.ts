// v2/examples/resources.ts: one resource of each kind, as the service would show it. They refer to each other.
import type { Badge, BadgeList } from '../wire/badge.ts'
import type { Calendar, CalendarList } from '../wire/calendar.ts'
import type { Credential, CredentialList } from '../wire/credential.ts'
import type { JobType, JobTypeList } from '../wire/job-type.ts'
import type { Monitor, MonitorList } from '../wire/monitor.ts'
import type {
  NotificationEndpoint,
  NotificationEndpointList,
  NotificationGroup,
  NotificationGroupList,
} from '../wire/notification.ts'
import type { Person, PersonList } from '../wire/person.ts'
import type { Policy, PolicyList } from '../wire/policy.ts'
import { apiVersion } from '../wire/resource.ts'
import type { Route, RouteList } from '../wire/route.ts'
import type { Schedule, ScheduleList } from '../wire/schedule.ts'
import type { StatusIncident, StatusIncidentList } from '../wire/status-incident.ts'
import type { StatusPage, StatusPageList } from '../wire/status-page.ts'
import { escalationPage } from './on-call.ts'
import { pageOf } from './page.ts'

const monitor: Monitor = {
  apiVersion,
  kind: 'Monitor',
  metadata: {
    id: 'checkout-api',
    uid: '01JQ8X3V5R7T9W1Y3A5C7E9G1J',
    name: 'Checkout API',
    resourceVersion: '42',
    generation: 3,
    labels: { team: 'payments' },
    managedBy: 'api',
  },
  spec: {
    enabled: true,
    check: {
      driver: {
        type: 'http',
        config: { url: 'https://example.test/health', expect: { status: [200] } },
        credentialRefs: { 'auth.bearer': 'checkout-token' },
      },
      interval: '30s',
      timeout: '5s',
      unhealthyThreshold: 3,
      healthyThreshold: 2,
      retries: 0,
    },
    recovery: {
      driver: { type: 'webhook', config: { url: 'https://runbooks.test/restart' } },
      timeout: '20s',
      settle: '30s',
    },
    notifications: {
      red: { dispatch: true, groupRefs: ['ops'] },
      green: { groupRefs: ['ops'], endpointRefs: ['ops-slack'] },
    },
    maintenance: [{ cron: '0 3 * * 0', duration: '1h', timezone: 'Europe/Berlin' }],
    tags: ['payments'],
    dependsOn: ['edge-gateway'],
    repeat: '1h',
  },
  status: {
    observedGeneration: 3,
    controlRevision: '7',
    statusRevision: '118',
    executionRevision: '9031',
    health: 'unhealthy',
    lastCheckedAt: '2026-03-29T01:00:00.000Z',
    lastCheckLatencyMs: { available: true, value: 48.2 },
    incidentID: 'inc-01JQ8X4A',
    unknownActions: 1,
    audience: {
      red: [
        {
          destination: 'ops-slack',
          namedBy: [
            { kind: 'own', group: 'ops' },
            { kind: 'route', name: 'everything' },
          ],
        },
      ],
      green: [{ destination: 'ops-slack', namedBy: [{ kind: 'own', group: 'ops' }, { kind: 'own' }] }],
    },
  },
}

const endpoint: NotificationEndpoint = {
  apiVersion,
  kind: 'NotificationEndpoint',
  metadata: {
    id: 'ops-slack',
    uid: '01JQ8X3V5R7T9W1Y3A5C7E9G2K',
    resourceVersion: '5',
    generation: 1,
    managedBy: 'api',
  },
  spec: { type: 'slack', config: { channel: '#ops' }, credentialRefs: { hook: 'ops-hook' } },
  status: { observedGeneration: 1 },
}

const group: NotificationGroup = {
  apiVersion,
  kind: 'NotificationGroup',
  metadata: {
    id: 'ops',
    uid: '01JQ8X3V5R7T9W1Y3A5C7E9G3L',
    resourceVersion: '6',
    generation: 1,
    managedBy: 'api',
  },
  spec: { endpointRefs: ['ops-slack'] },
  status: { observedGeneration: 1 },
}

const credential: Credential = {
  apiVersion,
  kind: 'Credential',
  metadata: {
    id: 'ops-hook',
    uid: '01JQ8X3V5R7T9W1Y3A5C7E9G4M',
    resourceVersion: '2',
    generation: 1,
    managedBy: 'api',
  },
  spec: { description: 'The incoming hook of the operations channel' },
  status: {
    observedGeneration: 1,
    available: true,
    references: ['notification-endpoint/ops-slack'],
    version: '2',
  },
}

const jobType: JobType = {
  apiVersion,
  kind: 'JobType',
  metadata: {
    id: 'queue-depth',
    uid: '01JQ8X3V5R7T9W1Y3A5C7E9G5N',
    resourceVersion: '1',
    generation: 1,
    managedBy: 'api',
  },
  spec: {
    version: '1',
    kind: 'check',
    handler: 'queueDepth',
    protocolVersion: '1',
    parameterSchema: { type: 'object', properties: { queue: { type: 'string' } }, required: ['queue'] },
    resultSchema: { type: 'object', properties: { depth: { type: 'integer' } } },
    timeout: '30s',
    rejectionCodes: ['queueMissing'],
  },
  status: { observedGeneration: 1 },
}

const route: Route = {
  apiVersion,
  kind: 'Route',
  metadata: {
    id: 'everything',
    uid: '01JQ8X3V5R7T9W1Y3A5C7E9G6P',
    resourceVersion: '8',
    generation: 1,
    managedBy: 'api',
  },
  spec: { match: {}, colors: ['red', 'green'], groupRefs: ['ops'] },
  status: { observedGeneration: 1 },
}

const person: Person = {
  apiVersion,
  kind: 'Person',
  metadata: {
    id: 'ana',
    uid: '01JQ8X3V5R7T9W1Y3A5C7E9G7Q',
    name: 'Ana Berg',
    resourceVersion: '9',
    generation: 1,
    managedBy: 'api',
  },
  spec: { timezone: 'Europe/Berlin', endpointRefs: ['ana-push', 'ana-phone'] },
  status: {
    observedGeneration: 1,
    onCall: [{ scheduleRef: 'primary', until: '2026-03-30T07:00:00.000Z' }],
  },
}

const schedule: Schedule = {
  apiVersion,
  kind: 'Schedule',
  metadata: {
    id: 'primary',
    uid: '01JQ8X3V5R7T9W1Y3A5C7E9G8R',
    resourceVersion: '10',
    generation: 2,
    managedBy: 'api',
  },
  spec: {
    timezone: 'Europe/Berlin',
    layers: [
      { personRefs: ['ana', 'bo'], every: '1w', start: '2026-03-02T09:00' },
      {
        personRefs: ['bo'],
        start: '2026-03-02T00:00',
        hours: [{ days: ['sat', 'sun'], from: '00:00', to: '24:00' }],
      },
    ],
    overrides: [{ from: '2026-12-24T09:00', to: '2026-12-27T09:00', personRef: 'bo' }],
  },
  status: {
    observedGeneration: 2,
    onCall: {
      personRef: 'ana',
      name: 'Ana Berg',
      until: '2026-03-30T07:00:00.000Z',
      nextPersonRef: 'bo',
    },
  },
}

const policy: Policy = {
  apiVersion,
  kind: 'Policy',
  metadata: {
    id: 'page',
    uid: '01JQ8X3V5R7T9W1Y3A5C7E9G9S',
    resourceVersion: '11',
    generation: 1,
    managedBy: 'api',
  },
  spec: {
    steps: [
      { notify: [{ scheduleRef: 'primary' }], wait: '5m' },
      { notify: [{ scheduleRef: 'primary', allEndpoints: true }, { groupRef: 'leads' }], wait: '15m' },
    ],
    repeat: 2,
    // biome-ignore lint/suspicious/noThenProperty: what follows from quiet hours; nobody awaits a policy.
    quiet: { hours: '22:00-07:00', zone: 'person', severities: ['warning'], then: 'hold' },
    ackTimeout: '4h',
    lastResort: { endpointRefs: ['ops-slack'] },
  },
  status: { observedGeneration: 1, pages: 1, running: [escalationPage] },
}

const calendar: Calendar = {
  apiVersion,
  kind: 'Calendar',
  metadata: {
    id: 'primary-ana-1f9c2e',
    uid: '01JQ8X3V5R7T9W1Y3A5C7E9G0T',
    resourceVersion: '12',
    generation: 1,
    managedBy: 'api',
  },
  spec: {
    scheduleRef: 'primary',
    personRef: 'ana',
    keyDigest: 'dffd6021bb2bd5b0af676290809ec3a53191dd81c7f70a4b28688a362182986f',
  },
  status: { observedGeneration: 1 },
}

const statusPage: StatusPage = {
  apiVersion,
  kind: 'StatusPage',
  metadata: {
    id: 'shop',
    uid: '01JQ8X3V5R7T9W1Y3A5C7E9G1U',
    resourceVersion: '13',
    generation: 1,
    managedBy: 'api',
  },
  spec: {
    title: 'Example Shop',
    host: 'status.shop.example',
    timezone: 'Europe/Berlin',
    groups: [
      {
        name: 'Shop',
        components: [
          { id: 'checkout', name: 'Checkout', monitorRefs: ['checkout-api'] },
          { id: 'search', name: 'Search', match: { service: 'search' }, downWhen: '30%' },
        ],
      },
    ],
    links: [{ name: 'Contact', url: 'https://shop.example/contact' }],
  },
  status: { observedGeneration: 1 },
}

const statusIncident: StatusIncident = {
  apiVersion,
  kind: 'StatusIncident',
  metadata: {
    id: 'payments-fail-1f9c2e',
    uid: '01JQ8X3V5R7T9W1Y3A5C7E9G2V',
    resourceVersion: '15',
    generation: 2,
    managedBy: 'api',
  },
  spec: {
    pageRef: 'shop',
    title: 'Payments fail',
    components: [{ id: 'checkout', state: 'partial_outage' }],
    updates: [
      {
        at: '2026-03-29T01:02:00.000Z',
        phase: 'investigating',
        text: 'Some payments fail. We are looking for the cause.',
      },
      {
        at: '2026-03-29T01:20:00.000Z',
        phase: 'identified',
        text: 'A **database** is full. Paying by invoice works.',
      },
    ],
  },
  status: { observedGeneration: 2 },
}

const badge: Badge = {
  apiVersion,
  kind: 'Badge',
  metadata: {
    id: 'checkout-1f9c2e',
    uid: '01JQ8X3V5R7T9W1Y3A5C7E9G3W',
    resourceVersion: '14',
    generation: 1,
    managedBy: 'api',
  },
  spec: {
    componentRef: 'shop/checkout',
    shows: 'uptime-30d',
    label: 'checkout',
    keyDigest: 'dffd6021bb2bd5b0af676290809ec3a53191dd81c7f70a4b28688a362182986f',
  },
  status: { observedGeneration: 1 },
}

export const resourceExamples = {
  Monitor: monitor,
  MonitorList: pageOf(monitor) satisfies MonitorList,
  NotificationEndpoint: endpoint,
  NotificationEndpointList: pageOf(endpoint) satisfies NotificationEndpointList,
  NotificationGroup: group,
  NotificationGroupList: pageOf(group) satisfies NotificationGroupList,
  Credential: credential,
  CredentialList: pageOf(credential) satisfies CredentialList,
  JobType: jobType,
  JobTypeList: pageOf(jobType) satisfies JobTypeList,
  Route: route,
  RouteList: pageOf(route) satisfies RouteList,
  Person: person,
  PersonList: pageOf(person) satisfies PersonList,
  Schedule: schedule,
  ScheduleList: pageOf(schedule) satisfies ScheduleList,
  Policy: policy,
  PolicyList: pageOf(policy) satisfies PolicyList,
  Calendar: calendar,
  CalendarList: pageOf(calendar) satisfies CalendarList,
  StatusPage: statusPage,
  StatusPageList: pageOf(statusPage) satisfies StatusPageList,
  StatusIncident: statusIncident,
  StatusIncidentList: pageOf(statusIncident) satisfies StatusIncidentList,
  Badge: badge,
  BadgeList: pageOf(badge) satisfies BadgeList,
}
