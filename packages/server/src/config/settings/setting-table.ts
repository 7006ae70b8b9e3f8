// config/settings/setting-table.ts: every runtime setting: its name in the runtime file, its flag and
// variable, its default, what it does, and how its text is parsed. The parser, `serve --help`, `pulseward
// settings`, the runtime file's JSON Schema and the reference page are all made from this table.
import type { Static, TSchema } from 'typebox'
import { durationMs } from '../../platform/duration.ts'
import { Duration, oneOf, Period } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { parseListenAddress } from './listen-address.ts'
import { parsePerMonitorSelector } from './per-monitor-selector.ts'
import { StorePlace, withoutPassword } from './store-place.ts'

export interface Setting<Schema extends TSchema = TSchema, Fallback = unknown, Value = unknown> {
  readonly schema: Schema
  readonly summary: string
  /** The default, as it would be written. Null: not set. */
  readonly fallback: Fallback
  readonly env: string
  readonly flag?: string
  /** The written value as it is shown to people; absent if it holds no secret. */
  shown?(written: Static<Schema>): string
  /** Converts the written value to the one that the service uses, such as milliseconds; absent if they are the same. */
  parse?(written: Static<Schema>): Value
}

function setting<
  Schema extends TSchema,
  const Fallback extends Static<Schema> | null,
  Value = Static<Schema>,
>(definition: Setting<Schema, Fallback, Value>): Setting<Schema, Fallback, Value> {
  return definition
}

const Whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
const Paths = Type.Array(Type.String({ minLength: 1 }))
const Text = Type.String({ minLength: 1 })

export const settingTable = {
  edition: setting({
    schema: oneOf(['main', 'candidate', 'next'], 'Which edition to run.'),
    summary: 'Which edition to run: main answers from snapshots, candidate from a live index.',
    fallback: 'candidate',
    env: 'PULSEWARD_EDITION',
    flag: 'edition',
  }),
  listen: setting({
    schema: Text,
    summary: 'Address and port of the HTTP listener. Beyond loopback a token is required.',
    fallback: '127.0.0.1:8060',
    env: 'PULSEWARD_LISTEN',
    flag: 'listen',
    parse: parseListenAddress,
  }),
  token_file: setting({
    schema: Text,
    summary: 'File whose content is the access token.',
    fallback: null,
    env: 'PULSEWARD_TOKEN_FILE',
    flag: 'token-file',
  }),
  store: setting({
    schema: StorePlace,
    summary:
      'Where the candidate keeps its state: in an embedded database, in memory, which a restart forgets, or in PostgreSQL, by its URL.',
    fallback: 'sqlite',
    env: 'PULSEWARD_STORE',
    flag: 'store',
    shown: withoutPassword,
  }),
  store_password_file: setting({
    schema: Text,
    summary: 'File whose content is the password for PostgreSQL; it is read for every new connection.',
    fallback: null,
    env: 'PULSEWARD_STORE_PASSWORD_FILE',
    flag: 'store-password-file',
  }),
  accept_files: setting({
    schema: Type.Boolean(),
    summary:
      'Stand by, and take over, also for an active process on another machine whose fleet files differ.',
    fallback: false,
    env: 'PULSEWARD_ACCEPT_FILES',
    flag: 'accept-files',
  }),
  data: setting({
    schema: Text,
    summary: 'Folder of the embedded store, and of what the service keeps beside a store.',
    fallback: './pulseward-data',
    env: 'PULSEWARD_DATA',
    flag: 'data',
  }),
  config: setting({
    schema: Paths,
    summary: 'Fleet file or folder; may be given several times.',
    fallback: [],
    env: 'PULSEWARD_CONFIG',
    flag: 'config',
  }),
  allow_empty: setting({
    schema: Type.Boolean(),
    summary: 'Start even when the fleet has no monitors.',
    fallback: false,
    env: 'PULSEWARD_ALLOW_EMPTY',
    flag: 'allow-empty',
  }),
  watch: setting({
    schema: Type.Boolean(),
    summary: 'Reload when a fleet file changes.',
    fallback: false,
    env: 'PULSEWARD_WATCH',
    flag: 'watch',
  }),
  'log.level': setting({
    schema: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'How much to log.'),
    summary: 'How much to log.',
    fallback: 'info',
    env: 'PULSEWARD_LOG_LEVEL',
    flag: 'log-level',
  }),
  'log.format': setting({
    schema: oneOf(['pretty', 'json'], 'How log lines look.'),
    summary: 'How log lines look; the default is pretty on a terminal and json elsewhere.',
    fallback: null,
    env: 'PULSEWARD_LOG_FORMAT',
    flag: 'log-format',
  }),
  probe_threads: setting({
    schema: Whole(1, 64),
    summary:
      'Threads that run checks; by default as many as the load needs, from none for a few checks per second up to the number of cores.',
    fallback: null,
    env: 'PULSEWARD_PROBE_THREADS',
    flag: 'probe-threads',
  }),
  snapshot_interval: setting({
    schema: Period,
    summary: 'How often the main edition rebuilds its snapshot.',
    fallback: '5s',
    env: 'PULSEWARD_SNAPSHOT_INTERVAL',
    flag: 'snapshot-interval',
    parse: durationMs,
  }),
  index_cap: setting({
    schema: Whole(1, 4_294_967_295),
    summary: 'Largest fleet for which the main edition keeps a detailed index.',
    fallback: 1_000_000,
    env: 'PULSEWARD_INDEX_CAP',
    flag: 'index-cap',
  }),
  'network.allow_link_local': setting({
    schema: Type.Boolean(),
    summary: 'Let checks, notifications and recovery webhooks reach link-local and metadata addresses.',
    fallback: false,
    env: 'PULSEWARD_ALLOW_LINK_LOCAL',
  }),
  'network.resolver': setting({
    schema: Type.Array(Text),
    summary: "Name servers as address or address:port; the default is the system's.",
    fallback: [],
    env: 'PULSEWARD_RESOLVER',
  }),
  'network.canaries': setting({
    schema: Type.Array(oneOf(['loopback', 'resolver', 'gateway'], 'A canary.')),
    summary: 'What is probed to tell failures of this machine from failures of the targets.',
    fallback: ['loopback', 'resolver', 'gateway'],
    env: 'PULSEWARD_CANARIES',
  }),
  'network.allow_loopback_notify': setting({
    schema: Type.Boolean(),
    summary: 'Let notifications and recovery webhooks reach loopback addresses.',
    fallback: false,
    env: 'PULSEWARD_ALLOW_LOOPBACK_NOTIFY',
  }),
  trends: setting({
    schema: oneOf(['off', 'light', 'full'], 'What is kept of availability and latency.'),
    summary:
      'What is kept of availability and latency, for trends: nothing, hours and days, or minutes and five minutes as well; full up to 10,000 monitors and light above, unless given.',
    fallback: null,
    env: 'PULSEWARD_TRENDS',
  }),
  'metrics.per_monitor': setting({
    schema: Text,
    summary:
      'Selector over labels, such as team=payments, of monitors that have metrics of their own; at most 10,000 monitors.',
    fallback: null,
    env: 'PULSEWARD_METRICS_PER_MONITOR',
    parse: parsePerMonitorSelector,
  }),
  public_url: setting({
    schema: Text,
    summary: 'Address under which people reach the dashboard, for links in messages.',
    fallback: null,
    env: 'PULSEWARD_PUBLIC_URL',
  }),
  allowed_hosts: setting({
    schema: Type.Array(Text),
    summary:
      'Further host names that the service answers to while no token is set, such as status.example; IP addresses, localhost and the hosts of listen and public_url always count.',
    fallback: [],
    env: 'PULSEWARD_ALLOWED_HOSTS',
  }),
  proxies: setting({
    schema: Type.Array(Text),
    summary:
      'Addresses or networks of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted.',
    fallback: [],
    env: 'PULSEWARD_PROXIES',
  }),
  cors: setting({
    schema: Type.Array(Text),
    summary: 'Origins whose pages may read the API from a browser, such as https://status.example.',
    fallback: [],
    env: 'PULSEWARD_CORS',
  }),
  'limits.writes_per_second': setting({
    schema: Whole(1, 1_000_000),
    summary: 'Writes of one principal per second, with bursts of twice as many, before v2 answers 429.',
    fallback: 2_000,
    env: 'PULSEWARD_WRITES_PER_SECOND',
  }),
  'limits.worker_calls_per_second': setting({
    schema: Whole(1, 1_000_000),
    summary:
      'Calls by external workers of one principal per second, with bursts of twice as many, before v2 answers 429. Each further KiB of a body counts as one more call.',
    fallback: 5_000,
    env: 'PULSEWARD_WORKER_CALLS_PER_SECOND',
  }),
  'limits.polls': setting({
    schema: Whole(1, 1_000_000),
    summary: 'External workers that may wait for work at once before v2 answers 429.',
    fallback: 10_000,
    env: 'PULSEWARD_POLLS',
  }),
  'limits.concurrent_requests': setting({
    schema: Whole(1, 100_000),
    summary:
      'Requests in flight at once before the API answers 503 with Retry-After; healthz and readyz do not count.',
    fallback: 256,
    env: 'PULSEWARD_CONCURRENT_REQUESTS',
  }),
  'oncall.ack_links': setting({
    schema: Type.Boolean(),
    summary:
      'Whether the links in messages of policies acknowledge without signing in; otherwise they lead to the page of the incident.',
    fallback: false,
    env: 'PULSEWARD_ONCALL_ACK_LINKS',
  }),
  'push.listen': setting({
    schema: Text,
    summary:
      'A second address and port on which nothing but the paths of push monitors is served, so that the rest can stay inside.',
    fallback: null,
    env: 'PULSEWARD_PUSH_LISTEN',
    parse: parseListenAddress,
  }),
  'push.methods': setting({
    schema: Type.Array(oneOf(['POST', 'GET', 'HEAD'], 'A method.'), { minItems: 1 }),
    summary:
      'Methods by which jobs may report. Only POST keeps scanners of mails and previews of chats, which follow links, from reporting.',
    fallback: ['POST', 'GET', 'HEAD'],
    env: 'PULSEWARD_PUSH_METHODS',
  }),
  'push.bytes': setting({
    schema: Whole(0, 68_719_476_736),
    summary: 'How many bytes of memory the last signals of all push monitors may take; the oldest go first.',
    fallback: 209_715_200,
    env: 'PULSEWARD_PUSH_BYTES',
  }),
  'status.listen': setting({
    schema: Text,
    summary:
      'A second address and port on which nothing but status pages is served, so that the rest can stay inside.',
    fallback: null,
    env: 'PULSEWARD_STATUS_LISTEN',
    parse: parseListenAddress,
  }),
  alert_cooldown: setting({
    schema: Duration,
    summary: 'Shortest time between two notifications of one color for one monitor to one destination.',
    fallback: '5m',
    env: 'PULSEWARD_ALERT_COOLDOWN',
    parse: durationMs,
  }),
  recovery_bypass: setting({
    schema: Type.Boolean(),
    summary: 'Green notifications do not wait for the cooldown.',
    fallback: true,
    env: 'PULSEWARD_RECOVERY_BYPASS',
  }),
  'recovery.budget_per_minute': setting({
    schema: Whole(1, 10_000),
    summary: 'Recovery actions per minute for the whole service.',
    fallback: 10,
    env: 'PULSEWARD_RECOVERY_BUDGET_PER_MINUTE',
  }),
  'recovery.allow_command': setting({
    schema: Type.Boolean(),
    summary: 'Let the command recovery run programs.',
    fallback: false,
    env: 'PULSEWARD_RECOVERY_ALLOW_COMMAND',
  }),
  'heartbeat.url': setting({
    schema: Text,
    summary: 'An address that is called while the service is ready, so that others notice when it dies.',
    fallback: null,
    env: 'PULSEWARD_HEARTBEAT_URL',
  }),
  'heartbeat.every': setting({
    schema: Period,
    summary: 'How often heartbeat.url is called.',
    fallback: '60s',
    env: 'PULSEWARD_HEARTBEAT_EVERY',
    parse: durationMs,
  }),
  'slo.queue_target': setting({
    schema: Period,
    summary: 'A check should start this soon after its time.',
    fallback: '250ms',
    env: 'PULSEWARD_SLO_QUEUE_TARGET',
    parse: durationMs,
  }),
  'slo.result_target': setting({
    schema: Period,
    summary: 'A check should have its result this soon after its time.',
    fallback: '5s',
    env: 'PULSEWARD_SLO_RESULT_TARGET',
    parse: durationMs,
  }),
  'tls.certificate_file': setting({
    schema: Text,
    summary: 'PEM certificate of the listener, with its chain: it then speaks HTTPS.',
    fallback: null,
    env: 'PULSEWARD_TLS_CERTIFICATE_FILE',
  }),
  'tls.key_file': setting({
    schema: Text,
    summary: 'PEM key of that certificate.',
    fallback: null,
    env: 'PULSEWARD_TLS_KEY_FILE',
  }),
  principals_file: setting({
    schema: Text,
    summary:
      'File of the principals that may use v2 (edition next); principals.json in the data directory unless given.',
    fallback: null,
    env: 'PULSEWARD_PRINCIPALS_FILE',
  }),
  credentials_key_file: setting({
    schema: Text,
    summary:
      'File of the keys that encrypt the values of credentials (edition next); unless given, the path of the data directory followed by .key.',
    fallback: null,
    env: 'PULSEWARD_CREDENTIALS_KEY_FILE',
  }),
  local_drivers: setting({
    schema: oneOf(['file', 'api'], 'Who may use drivers that act on this machine.'),
    summary:
      'Who may use drivers that act on this machine (command, systemd, docker by its socket, kubernetes unless a credential holds the kubeconfig): fleet files alone, or v2 as well.',
    fallback: 'file',
    env: 'PULSEWARD_LOCAL_DRIVERS',
  }),
  external_jobs: setting({
    schema: Type.Boolean(),
    summary: 'Serve job types and external workers (edition next).',
    fallback: false,
    env: 'PULSEWARD_EXTERNAL_JOBS',
  }),
}

type Table = typeof settingTable
export type SettingKey = keyof Table

type ValueOf<Definition> =
  Definition extends Setting<TSchema, infer Fallback, infer Value>
    ? [Fallback] extends [null]
      ? Value | null
      : Value
    : never

/** The values in force, parsed, by their dotted names. Durations are in milliseconds. */
export type Settings = { readonly [Key in SettingKey]: ValueOf<Table[Key]> }

export const settingKeys = Object.keys(settingTable) as SettingKey[]

/** The JSON Schema of the runtime file: dotted names become nested mappings. */
export function settingsFileJsonSchema(): object {
  const root: Record<string, unknown> = {}
  for (const key of settingKeys) {
    const { schema, summary, fallback }: Setting = settingTable[key]
    const [section, name] = key.split('.') as [string, string?]
    const described = { ...schema, description: summary, ...(fallback === null ? {} : { default: fallback }) }
    if (name === undefined) root[section] = described
    else {
      root[section] ??= { type: 'object', additionalProperties: false, properties: {} }
      ;(root[section] as { properties: Record<string, unknown> }).properties[name] = described
    }
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Pulseward runtime settings',
    type: 'object',
    additionalProperties: false,
    properties: root,
  }
}
