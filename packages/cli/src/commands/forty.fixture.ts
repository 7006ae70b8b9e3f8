// commands/forty.fixture.ts: a fleet of forty as a company has it, and a night on which some of it fails, as a service of
// `next` answers: names of ordinary length, one in wide characters, one with markup, one monitor without an id.
import type { v1, v2 } from '@pulseward/client'
import {
  misbehaviours,
  type PeerAnswer,
  problemAnswer,
  type ReferencePeer,
} from '@pulseward/testing/reference-peer'

/** The reader looks at this time. */
export const now = '2026-03-04T02:14:40.000Z'

type Row = v1.NextMonitorRow
type Detail = v1.MonitorDetail

const ordinary: readonly [id: string, name: string, type: string, target: string][] = [
  ['billing-api', 'Billing API', 'http', 'https://billing.internal.example/healthz'],
  ['billing-worker', 'Billing worker', 'tcp', 'billing-worker.internal.example:9000'],
  ['checkout-web', 'Checkout', 'http', 'https://shop.example/checkout'],
  ['customer-portal', 'Customer portal', 'http', 'https://my.shop.example/'],
  ['dns-primary', 'DNS, primary', 'dns', 'shop.example'],
  ['dns-secondary', 'DNS, secondary', 'dns', 'shop.example'],
  ['docs-site', 'Documentation', 'http', 'https://docs.shop.example/'],
  ['edge-fra', 'Edge Frankfurt', 'tcp', 'edge-fra.shop.example:443'],
  ['edge-iad', 'Edge Ashburn', 'tcp', 'edge-iad.shop.example:443'],
  ['edge-sin', 'Edge Singapore', 'tcp', 'edge-sin.shop.example:443'],
  ['git', 'Git over SSH', 'ssh', 'git.internal.example:22'],
  ['image-resizer', 'Image resizer', 'http', 'https://images.internal.example/healthz'],
  ['intranet', 'Intranet', 'http', 'https://intranet.internal.example/'],
  ['invoices-pdf', 'Invoices as PDF', 'http', 'https://invoices.internal.example/healthz'],
  ['kafka-orders', 'Kafka, orders', 'kafka', 'kafka.internal.example:9092'],
  ['ldap', 'Directory', 'tcp', 'ldap.internal.example:636'],
  ['legacy-erp-interface', 'Interface to the old ERP', 'tcp', 'erp.internal.example:4711'],
  ['mail-inbound', 'Mail, inbound', 'smtp', 'mx.shop.example:25'],
  ['mail-outbound', 'Mail, outbound', 'smtp', 'smtp.internal.example:587'],
  ['metrics-store', 'Metrics store', 'http', 'https://metrics.internal.example/-/healthy'],
  ['mobile-gateway', 'Gateway of the mobile app', 'grpc', 'mobile.shop.example:443'],
  ['ntp', 'Time', 'ntp', 'ntp.internal.example:123'],
  ['object-storage', 'Object storage', 'http', 'https://objects.internal.example/minio/health/live'],
  ['orders-db-primary', 'Orders database, primary', 'postgres', 'orders-db-1.internal.example:5432'],
  ['orders-db-replica', 'Orders database, replica', 'postgres', 'orders-db-2.internal.example:5432'],
  ['payments-provider', 'Payments provider (theirs)', 'http', 'https://api.payments.example/status'],
  ['prices-feed', 'Prices feed', 'websocket', 'wss://prices.shop.example/feed'],
  ['print-server', 'Print server', 'tcp', 'print.internal.example:631'],
  ['recommendations', 'Recommendations', 'http', 'https://reco.internal.example/healthz'],
  ['redis-sessions', 'Sessions in Redis', 'redis', 'redis-sessions.internal.example:6379'],
  ['search-api', 'Search API', 'http', 'https://search.internal.example/healthz'],
  ['search-index', 'Search index', 'http', 'https://opensearch.internal.example:9200/_cluster/health'],
  ['staging', 'Staging', 'http', 'https://staging.shop.example/'],
  ['status-page', 'Status page', 'http', 'https://status.shop.example/'],
  ['tls-shop', 'Certificate of the shop', 'tls', 'shop.example:443'],
  ['vpn', 'VPN', 'udp', 'vpn.shop.example:1194'],
  ['warehouse-api', 'Warehouse <b>API</b>', 'http', 'https://warehouse.internal.example/healthz'],
  ['warehouse-cameras', '倉庫の監視カメラ 東京', 'tcp', 'cam.tokyo.internal.example:554'],
  ['wifi-controller', 'Wi-Fi controller', 'icmp', '10.0.4.2'],
  [
    'name:5d8c4e3c1a6f0b8d9a7e2f41c3b5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7',
    'Window display',
    'http',
    'http://10.0.7.21/',
  ],
]

const incidentOf = {
  'orders-db-replica': '019cb5a0-1f2e-7a41-8c55-0d9b4f6a7e10',
  'search-index': '019cb5a3-77c0-7f19-9a02-5b1c8d3e6f21',
  'warehouse-api': '019cb4f1-0c11-7b7e-a9d3-6c2d9e4f7032',
} as const

const changes: Readonly<Record<string, Partial<Detail>>> = {
  'orders-db-replica': {
    status: 'incident',
    incident: true,
    consecutive_failures: 41,
    last_error: 'the connection to orders-db-2.internal.example:5432 was refused by 10.0.3.12:5432',
    status_reason: 'incident: 41 failures in a row; the recovery action was rejected',
    latency_ms: null,
    last_success: '2026-03-04T02:01:02.118Z',
    recovery: { driver: 'systemd', configured: true },
  },
  'search-index': {
    status: 'verifying',
    incident: true,
    consecutive_failures: 0,
    last_error: 'the answer has status 503 instead of 200 to 299: {"status":"red","timed_out":false}',
    status_reason: 'verifying: 1 of 3 healthy checks after the recovery action',
    verification: { healthy: 1, needed: 3 },
    recovery: { driver: 'webhook', configured: true },
  },
  'warehouse-api': {
    status: 'incident',
    incident: true,
    consecutive_failures: 1_260,
    last_error: 'no answer within 5 s: connecting to <warehouse.internal.example> took all of it',
    status_reason: 'incident: 1260 failures in a row',
    latency_ms: null,
    last_success: '2026-03-03T22:44:31.410Z',
  },
  'warehouse-cameras': {
    status: 'down',
    consecutive_failures: 1_255,
    last_error: 'no route to host 10.8.0.14:554',
    status_reason: 'down: 1255 failures in a row; suppressed by warehouse-api',
    suppressed_by: 'warehouse-api',
    latency_ms: null,
    last_success: '2026-03-03T22:44:40.002Z',
  },
  'mobile-gateway': {
    status: 'down',
    consecutive_failures: 1,
    last_error: 'deadline exceeded after 5 s',
    status_reason: 'down: 1 of 3 failures',
  },
  'tls-shop': {
    status: 'degraded',
    warning: 'the certificate of shop.example expires in 6 days, on 2026-03-10',
    status_reason: 'degraded: the certificate of shop.example expires in 6 days, on 2026-03-10',
    certificate_expires_at: '2026-03-10T11:59:59.000Z',
  },
  'print-server': { status: 'disabled', status_reason: 'disabled: not checked', next_check: null },
  staging: {
    status: 'disabled',
    snoozed_until: '2026-03-04T07:00:00.000Z',
    status_reason: 'disabled: snoozed until 2026-03-04T07:00:00.000Z',
    next_check: null,
  },
  intranet: {
    status: 'unknown',
    last_check: null,
    last_success: null,
    latency_ms: null,
    status_reason: 'unknown: no check has said anything yet',
  },
}

const details: readonly Detail[] = ordinary.map(([monitorId, name, type, target], index) => ({
  monitor_id: monitorId,
  id: index + 1,
  name,
  pulse_type: type,
  status: 'up',
  incident: false,
  pending_code: '',
  active_codes: [],
  target,
  interval_ms: 10_000,
  timeout_ms: 5_000,
  consecutive_failures: 0,
  last_check: '2026-03-04T02:14:33.120Z',
  last_success: '2026-03-04T02:14:33.120Z',
  next_check: '2026-03-04T02:14:43.000Z',
  latency_ms: 12.4 + index * 3.7,
  healthy_samples: 258_912,
  total_samples: 259_200,
  healthy_sample_percent: 99.888_888,
  warning: null,
  unknown_actions: 0,
  tags: [],
  last_error: null,
  certificate_expires_at: null,
  certificate_observed_at: null,
  thresholds: { unhealthy: 3, healthy: 2 },
  recovery: { driver: null, configured: false },
  maintenance: { active: false, until: null },
  snoozed_until: null,
  verification: null,
  status_reason: null,
  suppressed_by: null,
  push: null,
  stale: null,
  ...changes[monitorId],
}))

function detailOf(monitorId: string): Detail | undefined {
  return details.find((one) => one.monitor_id === monitorId)
}

const openedAt: Readonly<Record<string, string>> = {
  'warehouse-api': '2026-03-03T22:45:12.004Z',
  'orders-db-replica': '2026-03-04T02:01:33.540Z',
  'search-index': '2026-03-04T02:09:10.900Z',
}

const openIncidents: v2.Incident[] = Object.entries(incidentOf).map(([monitorID, id]) => ({
  id,
  monitorID,
  revision: '2',
  state: 'open',
  openedAt: openedAt[monitorID]!,
  dismissed: monitorID === 'warehouse-api',
  reason:
    monitorID === 'warehouse-api'
      ? 'the line of the provider is cut, ticket 4711'
      : detailOf(monitorID)!.last_error!,
  ...(monitorID === 'orders-db-replica' && {
    acknowledgedBy: 'mara',
    acknowledgedAt: '2026-03-04T02:05:00.000Z',
  }),
}))

const closedIncident: v2.Incident = {
  id: '019c9a00-0a0a-7b0b-8c0c-0d0d0e0e0f0f',
  monitorID: 'orders-db-replica',
  revision: '4',
  state: 'closed',
  openedAt: '2026-02-20T13:00:00.000Z',
  closedAt: '2026-02-20T13:12:30.000Z',
  dismissed: false,
  acknowledgedBy: 'ada',
  reason: 'the replica is 94 s behind its primary',
}

const nothing = {
  kind: null,
  action_id: null,
  color: null,
  endpoint: null,
  outcome: null,
  reason: null,
  actor: null,
}
const action = { kind: 'code', color: 'red', endpoint: 'ops-slack' } as const

function event(
  at: string,
  type: v1.NextHistoryEvent['type'],
  monitorId: string,
  more: object,
): v1.NextHistoryEvent {
  const incident = incidentOf[monitorId as keyof typeof incidentOf] ?? null
  const base = {
    id: at.replace(/\D/g, ''),
    monitor_id: monitorId,
    at,
    type,
    revision: 1,
    incident_id: incident,
  }
  return { ...base, ...nothing, note: null, because: null, ...more }
}

const events: readonly v1.NextHistoryEvent[] = [
  event('2026-03-04T02:09:11.010Z', 'action_failed', 'search-index', {
    ...action,
    outcome: 'rejected',
    reason: 'HTTP 503',
  }),
  event('2026-03-04T02:05:00.000Z', 'control_acknowledged', 'orders-db-replica', { actor: 'mara' }),
  event('2026-03-04T02:01:35.090Z', 'action_succeeded', 'orders-db-replica', {
    ...action,
    outcome: 'accepted',
  }),
  event('2026-03-04T02:01:33.540Z', 'incident_opened', 'orders-db-replica', {
    reason: detailOf('orders-db-replica')!.last_error,
  }),
  event('2026-03-04T02:01:33.100Z', 'action_failed', 'orders-db-replica', {
    kind: 'intervention',
    outcome: 'rejected',
    reason: 'the unit postgresql@16.service is masked',
  }),
  event('2026-03-03T22:45:30.000Z', 'incident_suppressed', 'warehouse-cameras', {
    reason: 'suppressed by warehouse-api',
  }),
  event('2026-02-20T13:12:30.000Z', 'incident_closed', 'orders-db-replica', {
    incident_id: closedIncident.id,
    outcome: 'recovered',
  }),
]

const noEnd = {
  outcome: null,
  reason: null,
  waiting_for: null,
  because: null,
  delay: null,
  ended_because: null,
}
const times = { not_before: '2026-03-04T02:19:00.000Z', started_at: null, finished_at: null }
const entries: readonly v1.NextActionEntry[] = [
  {
    id: '019cb5a9-0000-7000-8000-00000000a001',
    revision: 1,
    kind: 'code',
    color: 'red',
    endpoint: 'pager',
    attempt: 3,
    state: 'queued',
    ...times,
    ...noEnd,
    waiting_for: 'ailing_destination',
  },
  {
    id: '019cb5a9-0000-7000-8000-00000000a002',
    revision: 1,
    kind: 'intervention',
    color: null,
    endpoint: null,
    attempt: 1,
    state: 'unknown',
    ...times,
    not_before: null,
    started_at: '2026-03-04T02:01:32.000Z',
    ...noEnd,
  },
  {
    id: '019cb5a9-0000-7000-8000-00000000a003',
    revision: 1,
    kind: 'code',
    color: 'red',
    endpoint: 'ops-slack',
    attempt: 1,
    state: 'succeeded',
    ...times,
    started_at: '2026-03-04T02:01:34.000Z',
    finished_at: '2026-03-04T02:01:35.090Z',
    ...noEnd,
    outcome: 'accepted',
  },
]

const actions: readonly v2.Action[] = entries.map(({ id, kind, state, outcome }, index) => ({
  id,
  monitorID: 'orders-db-replica',
  incidentID: incidentOf['orders-db-replica'],
  kind,
  state,
  held: state === 'unknown',
  createdAt: '2026-03-04T02:01:32.000Z',
  updatedAt: '2026-03-04T02:01:35.090Z',
  reviewRevision: '1',
  ...(outcome !== null && { outcome }),
  ...(index === 0 && {
    reason: 'HTTP 500: {"error":"internal error of the provider, please try again later"}',
  }),
}))

const destinations: readonly v1.Destination[] = [
  { name: 'ops-slack', driver: 'slack', state: 'ok', since: null, reason: null, until: null, queued: 0 },
  {
    name: 'pager',
    driver: 'pagerduty',
    state: 'ailing',
    since: '2026-03-04T02:02:10.000Z',
    reason: 'HTTP 500: {"error":"internal error of the provider, please try again later"}',
    until: '2026-03-04T02:16:00.000Z',
    queued: 2,
  },
]

const resource = (kind: string, id: string, spec: object, status: object = {}) => ({
  apiVersion: 'pulseward/v2',
  kind,
  metadata: {
    id,
    name: detailOf(id)?.name ?? id,
    resourceVersion: '12.1',
    managedBy: 'api',
    labels: { team: 'shop' },
  },
  spec,
  status,
})

function monitorResource(id: string): object | null {
  const detail = detailOf(id)
  if (detail === undefined) return null
  const incidentID = incidentOf[id as keyof typeof incidentOf]
  const check = { driver: { type: detail.pulse_type, config: {} }, interval: '10s', timeout: '5s' }
  const dependsOn = id === 'warehouse-cameras' ? { dependsOn: ['warehouse-api'] } : {}
  return resource(
    'Monitor',
    id,
    { check, ...dependsOn },
    { health: 'healthy', ...(incidentID && { incidentID }) },
  )
}

const page = { generated: now, stale: null, page: 1, size: 50 }
const rows: readonly Row[] = details
const listed = <Item>(items: readonly Item[]) => ({ items, snapshot: '1', generatedAt: now })

/** The body for a path; null where nothing is, and undefined for what the reference peer answers. */
function bodyOf(path: string, query: Readonly<Record<string, string>>): object | null | undefined {
  const [, id = ''] = /\/([^/]+)$/.exec(path) ?? []
  const ofMonitor = <Item extends { monitorID?: string }>(items: readonly Item[]) =>
    items.filter((one) => query['monitorID'] === undefined || one.monitorID === query['monitorID'])
  if (path === '/api/v1/monitors') {
    const monitors = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    return { ...page, total: rows.length, filters: {}, monitors }
  }
  if (/^\/api\/v1\/monitors\/\d+$/.test(path)) return details.find((one) => one.id === Number(id)) ?? null
  if (path === '/api/v1/incidents') return { ...page, total: 3, incidents: incidentRows() }
  if (path === '/api/v1/history') {
    const shown = events.filter(
      (one) => query['monitor_id'] === undefined || one.monitor_id === query['monitor_id'],
    )
    return { events: shown, next_cursor: null, retention_days: 30 }
  }
  if (path === '/api/v2/incidents') return listed(ofMonitor([...openIncidents, closedIncident]))
  if (path === '/api/v2/actions') return listed(ofMonitor(actions))
  if (path === '/api/v2/notification-groups') return listed([groupResource])
  if (path.startsWith('/api/v2/monitors/')) return monitorResource(decodeURIComponent(id))
  if (path.startsWith('/api/v2/incidents/'))
    return [...openIncidents, closedIncident].find((one) => one.id === id) ?? null
  if (path.startsWith('/api/v2/actions/')) return actions.find((one) => one.id === id) ?? null
  if (path.startsWith('/api/v2/notification-endpoints/'))
    return resource('NotificationEndpoint', id, {
      type: 'pagerduty',
      config: {},
      credentialRefs: { routing_key: 'pager-key' },
    })
  if (path.startsWith('/api/v2/notification-groups/')) return groupResource
  return undefined
}

const groupResource = resource('NotificationGroup', 'night-shift', { endpointRefs: ['ops-slack', 'pager'] })

function incidentRows(): v1.NextIncident[] {
  return Object.entries(openedAt).map(([monitorId, opened]) => {
    const of = openIncidents.find(({ monitorID }) => monitorID === monitorId)!
    const acknowledged = {
      acknowledged_by: of.acknowledgedBy ?? null,
      acknowledged_at: of.acknowledgedAt ?? null,
    }
    return {
      ...detailOf(monitorId)!,
      incident_id: of.id,
      opened_at: opened,
      ...acknowledged,
      dismissed: of.dismissed ?? false,
      suppresses: monitorId === 'warehouse-api' ? 1 : 0,
      last_action: null,
    }
  })
}

/** Makes the peer answer for this fleet. */
export function playForty(peer: ReferencePeer): void {
  peer.misbehave((response, answer) => {
    const { path, query } = peer.lastRequest
    const body =
      path === '/api/v1/state' || path === '/api/v1/queues'
        ? changed(path, query, answer)
        : bodyOf(path, query)
    if (body === undefined) return misbehaviours.answersInstead({})(response, answer)
    const {
      status,
      headers,
      body: text,
    } = body === null ? missing(path) : { ...answer, status: 200, body: JSON.stringify(body) }
    response.writeHead(status, headers).end(text)
  })
}

/** The answer of the reference peer with what this fleet has of it. */
function changed(path: string, query: Readonly<Record<string, string>>, { body }: PeerAnswer): object | null {
  const answered = JSON.parse(body) as object
  if (path === '/api/v1/queues') return { ...answered, destinations }
  const monitorId = query['monitor_id']
  const number = details.find((one) => one.monitor_id === monitorId)?.id
  if (monitorId === undefined || number === undefined) return null
  const isHere = monitorId === 'orders-db-replica'
  return {
    ...answered,
    monitor_id: monitorId,
    monitor_number: number,
    actions: isHere ? entries : [],
    held_back: null,
  }
}

function missing(path: string): PeerAnswer {
  return path.startsWith('/api/v2')
    ? problemAnswer(404, 'notFound', { detail: 'There is no such thing.' })
    : problemAnswer(404, 'monitor_not_found', { detail: 'There is no such monitor.' })
}
