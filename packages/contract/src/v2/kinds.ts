// v2/kinds.ts: the table of kinds: what can be written through v2, what people, paths and commands call it,
// and which other kinds it may refer to. Operations, lists, the order of a collection, the command and the
// forms of the page follow from it. Plain data, so that every thread can load it.

export interface KindWords {
  /** In the names of operations: ListMonitors. */
  readonly plural: string
  /** In paths. */
  readonly collection: string
  /** One of them in a textual path: monitor/checkout-api. */
  readonly noun: string
  /** For the middle of a sentence: a monitor, monitors. */
  readonly one: string
  readonly many: string
  /** What commands and the page call one and several, and other words that commands understand. */
  readonly names: readonly [one: string, several: string, ...others: string[]]
  /** A sentence for people who have not used it yet. */
  readonly about: string
  /** The kinds that it may refer to; those are applied first. */
  readonly refersTo: readonly string[]
  /** Whether fleet files may define it too; then it is read-only here. Credentials in files are not resources. */
  readonly inFiles: boolean
  /** A version never changes, so there is nothing to patch. */
  readonly isImmutable: boolean
  /** Its operations are additions to the 66 of the contract. */
  readonly isAddition: boolean
  /** Served only if this setting is on. */
  readonly build: 'external_jobs' | null
}

/** A kind's position is its number in the database, so new kinds are added at the end. */
export const kinds = {
  Monitor: {
    plural: 'Monitors',
    collection: 'monitors',
    noun: 'monitor',
    one: 'a monitor',
    many: 'monitors',
    names: ['monitor', 'monitors'],
    about: 'What is watched, how often, and what is done about it.',
    refersTo: ['Credential', 'JobType', 'NotificationEndpoint', 'NotificationGroup', 'Policy', 'Monitor'],
    inFiles: true,
    isImmutable: false,
    isAddition: false,
    build: null,
  },
  NotificationEndpoint: {
    plural: 'NotificationEndpoints',
    collection: 'notification-endpoints',
    noun: 'notification-endpoint',
    one: 'a notification endpoint',
    many: 'notification endpoints',
    names: ['endpoint', 'endpoints', 'notification-endpoint', 'notification-endpoints'],
    about: 'Where notifications go: a chat, a mailbox, a pager.',
    refersTo: ['Credential', 'JobType'],
    inFiles: true,
    isImmutable: false,
    isAddition: false,
    build: null,
  },
  NotificationGroup: {
    plural: 'NotificationGroups',
    collection: 'notification-groups',
    noun: 'notification-group',
    one: 'a notification group',
    many: 'notification groups',
    names: ['group', 'groups', 'notification-group', 'notification-groups'],
    about: 'Endpoints under one name, notified together.',
    refersTo: ['NotificationEndpoint'],
    inFiles: true,
    isImmutable: false,
    isAddition: false,
    build: null,
  },
  Credential: {
    plural: 'Credentials',
    collection: 'credentials',
    noun: 'credential',
    one: 'a credential',
    many: 'credentials',
    names: ['credential', 'credentials'],
    about: 'Secrets by name. A value goes in and is never shown again.',
    refersTo: [],
    inFiles: false,
    isImmutable: false,
    isAddition: false,
    build: null,
  },
  JobType: {
    plural: 'JobTypes',
    collection: 'job-types',
    noun: 'job-type',
    one: 'a job type',
    many: 'job types',
    names: ['job-type', 'job-types', 'jobtypes'],
    about: 'Work that programs outside the service take on.',
    refersTo: [],
    inFiles: false,
    isImmutable: true,
    isAddition: false,
    build: 'external_jobs',
  },
  Route: {
    plural: 'Routes',
    collection: 'routes',
    noun: 'route',
    one: 'a route',
    many: 'routes',
    names: ['route', 'routes'],
    about: 'Who is told about all monitors with a label or tag, or about every monitor.',
    refersTo: ['NotificationEndpoint', 'NotificationGroup', 'Policy'],
    inFiles: true,
    isImmutable: false,
    isAddition: true,
    build: null,
  },
  Person: {
    plural: 'People',
    collection: 'people',
    noun: 'person',
    one: 'a person',
    many: 'people',
    names: ['person', 'people'],
    about: 'A person who can be on call, and where they are told.',
    refersTo: ['NotificationEndpoint'],
    inFiles: true,
    isImmutable: false,
    isAddition: true,
    build: null,
  },
  Schedule: {
    plural: 'Schedules',
    collection: 'schedules',
    noun: 'schedule',
    one: 'a schedule',
    many: 'schedules',
    names: ['schedule', 'schedules'],
    about: 'Who is on call when: rotations and exceptions.',
    refersTo: ['Person'],
    inFiles: true,
    isImmutable: false,
    isAddition: true,
    build: null,
  },
  Policy: {
    plural: 'Policies',
    collection: 'policies',
    noun: 'policy',
    one: 'a policy',
    many: 'policies',
    names: ['policy', 'policies'],
    about: 'Who is told of an incident, and when, until a person takes care of it.',
    refersTo: ['Schedule', 'Person', 'NotificationEndpoint', 'NotificationGroup'],
    inFiles: true,
    isImmutable: false,
    isAddition: true,
    build: null,
  },
  Calendar: {
    plural: 'Calendars',
    collection: 'calendars',
    noun: 'calendar',
    one: 'a calendar',
    many: 'calendars',
    names: ['calendar', 'calendars'],
    about: 'An address at which a calendar program reads the shifts of a schedule.',
    refersTo: ['Schedule', 'Person'],
    inFiles: false,
    isImmutable: false,
    isAddition: true,
    build: null,
  },
  StatusPage: {
    plural: 'StatusPages',
    collection: 'status-pages',
    noun: 'status-page',
    one: 'a status page',
    many: 'status pages',
    names: ['status-page', 'status-pages', 'statuspage', 'statuspages'],
    about: 'What customers see: components under names of their own.',
    refersTo: ['Monitor'],
    inFiles: true,
    isImmutable: false,
    isAddition: true,
    build: null,
  },
  StatusIncident: {
    plural: 'StatusIncidents',
    collection: 'status-incidents',
    noun: 'status-incident',
    one: 'a status incident',
    many: 'status incidents',
    names: ['status-incident', 'status-incidents'],
    about: 'What people write on a status page about an incident or maintenance.',
    refersTo: ['StatusPage'],
    inFiles: false,
    isImmutable: false,
    isAddition: true,
    build: null,
  },
  Badge: {
    plural: 'Badges',
    collection: 'badges',
    noun: 'badge',
    one: 'a badge',
    many: 'badges',
    names: ['badge', 'badges'],
    about: 'A small picture of one figure for other pages.',
    refersTo: ['StatusPage', 'Monitor'],
    inFiles: true,
    isImmutable: false,
    isAddition: true,
    build: null,
  },
} as const satisfies Readonly<Record<string, KindWords>>

export type ResourceKind = keyof typeof kinds

export const resourceKinds = Object.keys(kinds) as ResourceKind[]

export type AddedKind = {
  [Kind in ResourceKind]: (typeof kinds)[Kind]['isAddition'] extends true ? Kind : never
}[ResourceKind]

export const addedKinds = resourceKinds.filter((kind) => kinds[kind].isAddition) as AddedKind[]

export const kindsOfContract = resourceKinds.filter((kind) => !kinds[kind].isAddition) as Exclude<
  ResourceKind,
  AddedKind
>[]

/** Kinds that can be changed in parts. */
export type PatchedKind = {
  [Kind in ResourceKind]: (typeof kinds)[Kind]['isImmutable'] extends true ? never : Kind
}[ResourceKind]

export function isPatched(kind: ResourceKind): kind is PatchedKind {
  return !kinds[kind].isImmutable
}

/** The number of a kind in stores and in messages between threads. */
export function kindNumber(kind: ResourceKind): number {
  return resourceKinds.indexOf(kind)
}

/** All kinds, each after those that it refers to. Monitors come as late as possible: who is told about them is there before. */
export const kindsInOrder: readonly ResourceKind[] = inOrder()

function inOrder(): ResourceKind[] {
  const placed: ResourceKind[] = []
  const place = (kind: ResourceKind) => {
    if (placed.includes(kind)) return
    for (const named of kinds[kind].refersTo) if (named !== kind) place(named)
    placed.push(kind)
  }
  for (const kind of resourceKinds) if (kind !== 'Monitor') place(kind)
  place('Monitor')
  return placed
}
