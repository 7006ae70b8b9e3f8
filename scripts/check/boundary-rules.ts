// scripts/check/boundary-rules.ts: who may import whom. The table is complete: a room, a package or a
// top-level file of the server that is not in it may not exist. boundaries.ts enforces it, and
// docs/generated/boundaries.md is made from it. Tests (*.test.ts) and test support (*.fixture.ts, and the
// peers.ts of a driver) are exempt, except that they make no cycles and import other packages by their name.

/** Our packages, by folder, and which of our packages each may import. */
export const packageImports: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  client: ['contract'],
  worker: ['client', 'contract'],
  server: ['contract'],
  cli: ['server', 'client', 'contract'],
  testing: ['server', 'contract', 'cli', 'worker'],
  dashboard: ['client', 'contract'],
}

interface RoomRule {
  /** Rooms that it may import, besides platform, which every room may import. */
  readonly imports: readonly string[] | 'everything'
  /** Neither it nor anything that it loads does I/O or reads time, ids or randomness. */
  readonly pure?: true
  /** Its drivers may import only driver.ts, the folder driver and platform; these units of the room are not drivers. */
  readonly aroundDrivers?: readonly string[]
  readonly reason: string
}

/** Rooms of packages/server/src, each after those that it imports, so dependencies point one way. */
export const rooms: Readonly<Record<string, RoomRule>> = {
  platform: { imports: [], reason: 'stands under everything and imports nothing of ours' },
  telemetry: { imports: [], reason: 'logs and metrics, for every room that is not pure' },
  vault: {
    imports: [],
    reason: 'keeps values secret at rest, and knows neither what they are for nor the store',
  },
  checks: {
    imports: [],
    aroundDrivers: ['driver', 'registry', 'runner', 'index'],
    reason: 'a check knows its target and nothing of the fleet',
  },
  notify: {
    imports: ['telemetry'],
    aroundDrivers: ['driver', 'registry', 'runner', 'index'],
    reason: 'a notifier knows its provider and nothing of the fleet',
  },
  recovery: {
    imports: ['telemetry'],
    aroundDrivers: ['driver', 'registry', 'runner', 'index'],
    reason: 'a recovery knows what it acts on and nothing of the fleet',
  },
  config: {
    imports: ['checks', 'recovery', 'notify', 'telemetry'],
    reason: 'validates driver configurations with the schemas in the registries',
  },
  requests: {
    imports: ['config'],
    reason: 'what a request says, read strictly, and why it is refused',
  },
  'deciding/health': {
    imports: ['checks'],
    pure: true,
    reason: 'the life of a monitor, from outcomes alone',
  },
  'deciding/actions': {
    imports: ['config', 'deciding/health'],
    pure: true,
    reason: 'what to do follows from what happened',
  },
  'deciding/on-call': {
    imports: ['config', 'deciding/health', 'deciding/actions'],
    pure: true,
    reason: 'who is on call, and whom a policy tells until somebody answers',
  },
  fleet: {
    imports: ['config', 'deciding/health', 'telemetry'],
    reason: 'columns of what config defines and health decides',
  },
  deciding: {
    imports: ['config', 'fleet', 'deciding/health', 'deciding/actions', 'deciding/on-call'],
    pure: true,
    reason: 'lets health and actions answer each other until all is decided',
  },
  'deciding/push': {
    imports: ['config', 'deciding/health', 'deciding'],
    pure: true,
    reason: 'the life of a job that reports by itself, from its signals and from silence',
  },
  'self-watch': {
    imports: ['deciding/health', 'telemetry'],
    reason: 'tells our own faults from those of the targets, and tells others that we live',
  },
  slo: { imports: ['checks'], reason: 'how well checks kept to their times' },
  trends: { imports: [], pure: true, reason: 'what is kept of samples over days: counted, packed, added up' },
  store: {
    imports: [
      'config',
      'fleet',
      'deciding/health',
      'deciding/actions',
      'deciding/on-call',
      'slo',
      'telemetry',
      'trends',
    ],
    reason: 'commits what was decided',
  },
  'store/sqlite': {
    imports: ['config', 'deciding/health', 'deciding/actions', 'slo', 'store', 'trends'],
    reason: 'the embedded store: no other room knows its rows, its files or its thread',
  },
  'store/postgres': {
    imports: ['config', 'deciding/health', 'deciding/actions', 'slo', 'store', 'store/sqlite', 'trends'],
    reason:
      'the store in PostgreSQL: no other room knows its tables; staged items are files, as with the embedded store',
  },
  access: {
    imports: ['config', 'store'],
    reason: 'who may: principals, their tokens, their roles and how much they may write',
  },
  persistence: {
    imports: [
      'config',
      'fleet',
      'deciding/health',
      'deciding/actions',
      'deciding',
      'slo',
      'store',
      'telemetry',
      'trends',
    ],
    reason: 'what goes to the store in a turn, and how the next process goes on with it',
  },
  checking: {
    imports: [
      'config',
      'checks',
      'fleet',
      'deciding/health',
      'deciding',
      'self-watch',
      'slo',
      'telemetry',
      'trends',
    ],
    reason: 'when a check is due, where it runs, and what its result means',
  },
  acting: {
    imports: [
      'config',
      'notify',
      'recovery',
      'fleet',
      'checking',
      'deciding/health',
      'deciding/actions',
      'deciding',
      'persistence',
      'slo',
      'telemetry',
    ],
    reason: 'carries out what was decided and stored, and brings the outcome back',
  },
  engine: {
    imports: [
      'config',
      'fleet',
      'checking',
      'deciding/health',
      'deciding/actions',
      'deciding',
      'deciding/on-call',
      'deciding/push',
      'acting',
      'persistence',
      'self-watch',
      'slo',
      'store',
      'telemetry',
      'trends',
    ],
    reason: 'the turns that everything enters by',
  },
  kinds: {
    imports: ['config', 'fleet', 'store'],
    reason: 'what there is to know of each kind of resource; everything else walks its table',
  },
  managing: {
    imports: ['config', 'fleet', 'engine', 'kinds', 'store', 'telemetry', 'vault'],
    reason: 'writes resources: judged in a turn, stored, then brought into the fleet',
  },
  controls: {
    imports: [
      'deciding',
      'deciding/actions',
      'deciding/health',
      'engine',
      'fleet',
      'managing',
      'requests',
      'store',
      'telemetry',
    ],
    reason:
      'what people ask of incidents, monitors and actions, one or many: judged in a turn, stored, then answered',
  },
  bulk: {
    imports: [
      'config',
      'controls',
      'deciding/health',
      'engine',
      'fleet',
      'kinds',
      'managing',
      'requests',
      'store',
      'telemetry',
      'vault',
    ],
    reason: 'operations of many items: staged and judged in a thread of their own, applied in turns',
  },
  'external-workers': {
    imports: [
      'access',
      'acting',
      'checking',
      'checks',
      'config',
      'deciding/actions',
      'deciding/health',
      'engine',
      'fleet',
      'kinds',
      'notify',
      'recovery',
      'store',
    ],
    reason: 'jobs that workers outside the service do: offered, granted once, reported by turns',
  },
  pushing: {
    imports: [
      'checking',
      'config',
      'deciding',
      'deciding/health',
      'deciding/push',
      'engine',
      'fleet',
      'store',
    ],
    reason:
      'jobs that report by themselves: found by their keys, recorded in turns, missed when they are silent',
  },
  locations: {
    imports: ['access', 'checking', 'checks', 'config', 'deciding/health', 'engine', 'fleet', 'telemetry'],
    reason: 'checks at other locations: lent to the probes there, each ended once',
  },
  'remote-probe': {
    imports: ['checking', 'checks', 'config', 'deciding/health', 'locations', 'self-watch', 'telemetry'],
    reason: 'the program at another location: dials the service and runs the checks that it is lent',
  },
  trials: {
    imports: ['access', 'acting', 'checks', 'config', 'kinds', 'notify', 'requests', 'telemetry'],
    reason: 'runs a draft once, outside the fleet: nothing of it is kept',
  },
  projection: {
    imports: [
      'access',
      'controls',
      'config',
      'checks',
      'fleet',
      'checking',
      'deciding/health',
      'deciding/actions',
      'acting',
      'engine',
      'locations',
      'managing',
      'kinds',
      'deciding/on-call',
      'deciding/push',
      'slo',
      'store',
      'telemetry',
      'trends',
    ],
    reason: 'is what readers see of all of it',
  },
  explaining: {
    imports: [
      'config',
      'deciding',
      'deciding/health',
      'deciding/actions',
      'engine',
      'fleet',
      'projection',
      'store',
    ],
    reason: 'why things are as they are: from what is recorded and in force, never derived again',
  },
  'status-pages': {
    imports: ['config', 'deciding/health', 'engine', 'fleet', 'store', 'telemetry', 'trends'],
    reason: 'what customers see: made from a view of its own, of nothing that this view does not name',
  },
  api: {
    imports: [
      'access',
      'bulk',
      'config',
      'controls',
      'engine',
      'explaining',
      'external-workers',
      'kinds',
      'locations',
      'managing',
      'projection',
      'pushing',
      'requests',
      'slo',
      'status-pages',
      'store',
      'telemetry',
      'trials',
    ],
    reason: 'shows projections and takes commands',
  },
  editions: { imports: 'everything', reason: 'choose store, read model, readiness rule and routes' },
  wiring: { imports: 'everything', reason: 'opens the parts of the service, in the order of the flow' },
  'app.ts': { imports: 'everything', reason: 'the one place where everything is wired' },
  'main.ts': { imports: ['app.ts', 'config', 'editions', 'telemetry'], reason: 'settings in, signals out' },
  'index.ts': { imports: 'everything', reason: 'the door of the package' },
}

/** Modules that only one room of the server may import, under this name or any name below it. */
export const reservedModules: Readonly<Record<string, string>> = {
  'node:sqlite': 'store/sqlite',
  pg: 'store/postgres',
}

/**
 * Files that may import a reserved module nevertheless: a kernel lock is only available through SQLite, the
 * journal is a worker's own store, and an import reads the database of another program. A check logs in to the
 * PostgreSQL of its target.
 */
export const reservedElsewhere: Readonly<Record<string, readonly string[]>> = {
  'node:sqlite': [
    'packages/server/src/platform/file-lock.ts',
    'packages/worker/src/journal.ts',
    'packages/worker/src/journal-file.ts',
    'packages/testing/src/crash/worker-crash-run.ts',
    'packages/cli/src/import/uptime-kuma/read-database.ts',
    'packages/cli/src/import/uptime-kuma/database.fixture.ts',
  ],
  pg: ['packages/server/src/checks/postgres/ask-postgres.ts'],
}

/** Modules that the server may import types of only, and where it gets the rest from: every thread would load them. */
export const typesOnly: Readonly<Record<string, string>> = {
  typebox: 'platform/schema-type.ts',
  'node:http': 'platform/late-modules.ts',
  'node:https': 'platform/late-modules.ts',
  'node:http2': 'platform/late-modules.ts',
  'node:tls': 'platform/late-modules.ts',
}

/** The built-in modules that only compute. */
export const pureBuiltins = ['node:assert', 'node:buffer', 'node:crypto', 'node:util']

/** What pure code must get as a parameter instead. */
export const impureWords = [
  /\bDate\.now\b/,
  /\bnew Date\(\)/,
  /\bperformance\.\w+/,
  /\bMath\.random\b/,
  /\brandom(UUID|Bytes|Int)\b/,
  /\bgetRandomValues\b/,
  /\bset(Timeout|Interval|Immediate)\b/,
  /\b(fetch|queueMicrotask)\(/,
  /\b(process|console)\.\w+/,
]

/** Decisions by the name of the edition; editions/ composes parts instead. */
export const editionDecision =
  /\b(if|switch|while) ?\(!?[\w.]*\bedition\b|\bedition\s*[!=]==?|[!=]==?\s*[\w.]*\bedition\b/i

/** Where the name of an edition is read and checked. */
export const editionReaders = [
  'packages/server/src/editions/',
  'packages/server/src/config/settings',
  'packages/cli/',
]
