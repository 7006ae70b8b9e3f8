// views/manage/templates.ts: starting points: the ten most common checks, each with what it needs to be
// useful, and the route that tells a group about everything. What only the user can know is left empty; the form
// asks for it.

import type { Json, JsonObject } from './json.ts'
import type { ManagedKind } from './kinds.ts'
import { emptyDocument } from './resource-document.ts'

interface Words {
  readonly key: string
  readonly name: string
  readonly about: string
}

export interface Template extends Words {
  /** What the new resource is called, if everybody would call it the same. */
  readonly metadata?: JsonObject
  readonly spec: JsonObject
}

interface CheckTemplate extends Words {
  readonly type: string
  readonly config: JsonObject
  readonly interval?: string
  /** Nothing is run for it, so it has neither interval nor timeout. */
  readonly isReported?: true
}

const checks: readonly CheckTemplate[] = [
  {
    key: 'website',
    name: 'Website',
    about: 'A page answers as it should, in time and with a valid certificate.',
    type: 'http',
    config: { url: 'https://', redirects: { follow: true }, max_latency: '2s' },
  },
  {
    key: 'json-api',
    name: 'JSON API',
    about: 'A health endpoint reports that all is well.',
    type: 'http',
    config: { url: 'https://', expect: { body: { json: [{ path: '$.status', equals: 'ok' }] } } },
  },
  {
    key: 'certificate',
    name: 'Certificate',
    about: 'A TLS certificate is valid and does not expire soon.',
    type: 'tls',
    config: { host: '', warn_days: 21, critical_days: 7 },
    interval: '1h',
  },
  { key: 'ping', name: 'Ping', about: 'A host answers to ICMP echo.', type: 'icmp', config: { host: '' } },
  {
    key: 'port',
    name: 'TCP port',
    about: 'Something accepts connections.',
    type: 'tcp',
    config: { host: '', port: 443 },
  },
  {
    key: 'dns',
    name: 'DNS record',
    about: 'A name resolves as it should.',
    type: 'dns',
    config: { host: '', record_type: 'A' },
    interval: '5m',
  },
  {
    key: 'postgres',
    name: 'PostgreSQL',
    about: 'A database accepts a login and answers a query.',
    type: 'postgres',
    config: { host: '', port: 5432, user: '', database: 'postgres' },
  },
  {
    key: 'mysql',
    name: 'MySQL',
    about: 'A database accepts a login and answers a query.',
    type: 'mysql',
    config: { host: '', port: 3306, user: '' },
  },
  {
    key: 'redis',
    name: 'Redis',
    about: 'A server answers to PING.',
    type: 'redis',
    config: { host: '', port: 6379 },
  },
  {
    key: 'mail',
    name: 'Mail server',
    about: 'An SMTP server greets and offers encryption.',
    type: 'smtp',
    config: { host: '', port: 587, security: 'starttls' },
    interval: '5m',
  },
  {
    key: 'job',
    name: 'A job that reports',
    about: 'A backup or a cron job calls an address; its silence is the failure.',
    type: 'push',
    config: { every: '1h', grace: '10m' },
    isReported: true,
  },
]

const templates: { readonly [Kind in ManagedKind]?: readonly Template[] } = {
  Monitor: checks.map(({ type, config, interval = '1m', isReported, ...words }) => ({
    ...words,
    spec: { check: { driver: { type, config }, ...(isReported ? {} : { interval, timeout: '10s' }) } },
  })),
  Route: [
    {
      key: 'everything',
      name: 'Tell a group about everything',
      about: 'Red and green of every monitor, also of those that are added later.',
      metadata: { id: 'everything', name: 'Everything' },
      spec: { match: {}, colors: ['red', 'green'], groupRefs: [], endpointRefs: [] },
    },
  ],
}

export function templatesOf(kind: ManagedKind): readonly Template[] {
  return templates[kind] ?? []
}

export function documentOf(kind: ManagedKind, { metadata, spec }: Template): Json {
  return { ...emptyDocument(kind), ...(metadata === undefined ? {} : { metadata }), spec }
}
