// views/manage/kinds.ts: the kinds of resources that people manage here: their paths in the page and in the
// API, their names, and what the page says about each.
import { v2 } from '@pulseward/contract'
import { plural } from '../../format/count.ts'
import { isObject, type Json } from './json.ts'

/** Job types are written by the authors of workers; the keys of calendars and badges are made when these are created. */
const elsewhere = ['JobType', 'Calendar', 'Badge'] as const

export type ManagedKind = Exclude<v2.ResourceKind, (typeof elsewhere)[number]>

/** What the page says about a kind. */
interface KindTexts {
  /** The initial spec of a new one. */
  readonly newSpec: Json
  /** What to know to fill it in. */
  readonly help: readonly string[]
  /** What happens to a deleted one. */
  readonly whenDeleted: string
  /** What the list shows about one. */
  summary(spec: Readonly<Record<string, unknown>>, status: object): string
}

const texts: Readonly<Record<ManagedKind, KindTexts>> = {
  Monitor: {
    newSpec: { check: { driver: { type: 'http', config: {} }, interval: '1m', timeout: '10s' } },
    help: [
      'A duration is a whole number with its unit: 250ms, 30s, 5m, 1h.',
      'The interval is the time between two checks, at least 1s. The timeout is what one check may take, at most the interval.',
      'Three failures in a row count as a failure, unless another unhealthy threshold is given: one alone may be chance.',
      'Notifications name endpoints or groups for each color of a monitor. Create those first. A route names them for many monitors at once.',
    ],
    whenDeleted: 'It is no longer checked, and its open incident is closed.',
    summary: () => '',
  },
  NotificationEndpoint: {
    newSpec: { type: 'webhook', config: {} },
    help: [
      'Tokens, passwords and webhook addresses are secrets: create a credential first and refer to it.',
      'An endpoint is notified about monitors whose notifications name it or a group that contains it, and about those that a route sends to it.',
    ],
    whenDeleted: 'No more notifications are sent to it.',
    summary: ({ type }) => (typeof type === 'string' ? type : ''),
  },
  NotificationGroup: {
    newSpec: { endpointRefs: [] },
    help: [
      'A group is notified about monitors that name it, and about those that a route sends to it. An endpoint that is named twice is notified once.',
    ],
    whenDeleted: 'Its endpoints are kept.',
    summary: ({ endpointRefs }) => plural(Array.isArray(endpointRefs) ? endpointRefs.length : 0, 'endpoint'),
  },
  Route: {
    newSpec: { match: {}, colors: ['red', 'green'], groupRefs: [], endpointRefs: [] },
    help: [
      'A route tells its groups and endpoints about all monitors that match, those of fleet files too, in addition to whom a monitor names itself.',
      'A match names labels that a monitor must all have, such as team and payments. The name tag matches a tag. Without any, every monitor matches.',
      'Red is sent when a monitor has failed, green when it has recovered. Choose both, so that nobody wonders whether it is over.',
      'A destination that several rules name is notified once.',
    ],
    whenDeleted:
      'Its groups and endpoints stay. They are no longer told about monitors that only this route sent to them.',
    summary: ({ match, colors, groupRefs, endpointRefs, policyRef }) =>
      [
        ...(colors === undefined
          ? []
          : [
              `${textsIn(colors).join(', ')} of ${matchInWords(match)} to ${[...textsIn(groupRefs), ...textsIn(endpointRefs)].join(', ')}`,
            ]),
        ...(typeof policyRef === 'string' ? [`policy ${policyRef} for ${matchInWords(match)}`] : []),
      ].join('; '),
  },
  Person: {
    newSpec: { endpointRefs: [] },
    help: [
      'The first endpoint is tried first, the next if it fails or does not take the message. The time zone is that of their quiet hours.',
      'The name is what people call them on the page and in messages.',
    ],
    whenDeleted: 'They are no longer told. A person who is part of a schedule or a policy cannot be deleted.',
    summary: ({ endpointRefs }, status) => {
      const { onCall = [] } = status as NonNullable<v2.Person['status']>
      const by =
        onCall.length === 0 ? '' : `on call by ${onCall.map((duty) => duty.scheduleRef).join(', ')}; `
      return `${by}told on ${textsIn(endpointRefs).join(', ')}`
    },
  },
  Schedule: {
    newSpec: { timezone: 'UTC', layers: [{ personRefs: [], start: '', every: '1w' }] },
    help: [
      'A layer is a rotation: its people take turns from its start on. A later layer covers an earlier one where it has a person; an override covers all.',
      'All times are on the clocks of the time zone, such as 2026-03-02T09:00. A hand-over at 09:00 is at 09:00 in summer and in winter.',
    ],
    whenDeleted: 'No person is on call by it any more. A schedule that a policy names cannot be deleted.',
    summary: (_, status) => {
      const { personRef, name, until } = (status as NonNullable<v2.Schedule['status']>).onCall ?? {}
      const who = name ?? personRef ?? 'no person'
      return until === undefined ? `${who} is on call` : `${who} is on call until ${until}`
    },
  },
  Policy: {
    newSpec: { steps: [{ notify: [], wait: '5m' }] },
    help: [
      'A policy starts when an incident of its monitors opens, and stops when a person acknowledges it.',
      'Each recipient of a step names one schedule, person, group or endpoint.',
    ],
    whenDeleted:
      'Pages that have started go on as they are. A policy that a monitor or a route names cannot be deleted.',
    summary: ({ steps }, status) => {
      const { pages = 0 } = status as NonNullable<v2.Policy['status']>
      const running = pages === 0 ? '' : `, ${plural(pages, 'page')} not ended`
      return `${plural(Array.isArray(steps) ? steps.length : 0, 'step')}${running}`
    },
  },
  StatusPage: {
    newSpec: { title: '', groups: [{ name: '', components: [] }] },
    help: [
      'A component is what customers know by a name: it is made from monitors, or from all that have some labels. Nothing else of the monitors is shown.',
      'The page is at /status/ID. The ID has lower-case letters, digits and hyphens.',
    ],
    whenDeleted: 'It is gone for its readers at once. A page with incidents or badges cannot be deleted.',
    summary: ({ title }) => (typeof title === 'string' ? title : ''),
  },
  StatusIncident: {
    newSpec: { pageRef: '', title: '', components: [], updates: [] },
    help: [
      'The oldest update comes first. One with the phase resolved ends the incident; a postmortem may follow, and nothing else.',
      'Maintenance has a time in place of phases.',
      'The ID is part of the address of the incident, which customers see.',
    ],
    whenDeleted: 'It is taken off the page, as if it had never been written.',
    summary: ({ title, pageRef }) => `${String(title)}, on ${String(pageRef)}`,
  },
  Credential: {
    newSpec: {},
    help: [
      'The value is sent to the service once and never shown on this page. Other resources refer to the credential by its ID.',
      'A new value replaces the old one everywhere it is used.',
    ],
    whenDeleted: 'Its value cannot be recovered.',
    summary({ description }, status) {
      const { available, references = [] } = status as NonNullable<v2.Credential['status']>
      const used = references.length === 0 ? 'not used' : `used ${plural(references.length, 'time')}`
      const state = available === false ? 'its value is not available' : used
      return typeof description === 'string' && description !== '' ? `${description} (${state})` : state
    },
  },
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

function matchInWords(match: unknown): string {
  const entries = Object.entries((match ?? {}) as Readonly<Record<string, unknown>>)
  return entries.length === 0
    ? 'every monitor'
    : `monitors with ${entries.map(([key, value]) => `${key}=${String(value)}`).join(', ')}`
}

export interface KindWords extends KindTexts {
  readonly kind: ManagedKind
  /** The path segment in the page's URL. */
  readonly segment: string
  readonly path: string
  readonly one: string
  /** What the command calls one. */
  readonly word: string
  readonly many: string
  readonly about: string
}

export const kinds: readonly KindWords[] = v2.resourceKinds.flatMap((kind) => {
  if (!isManagedHere(kind)) return []
  const { names, collection, about } = v2.kinds[kind]
  const [word, several] = names
  const one = word.replaceAll('-', ' ')
  const many = (several[0]!.toUpperCase() + several.slice(1)).replaceAll('-', ' ')
  return [{ kind, segment: several, path: `/api/v2/${collection}`, one, word, many, about, ...texts[kind] }]
})

function isManagedHere(kind: v2.ResourceKind): kind is ManagedKind {
  return !(elsewhere as readonly v2.ResourceKind[]).includes(kind)
}

/** What the list shows about a resource. */
export function summaryOf(words: KindWords, spec: unknown, status: object): string {
  return words.summary(isObject(spec as Json) ? (spec as Readonly<Record<string, unknown>>) : {}, status)
}

export function kindOfSegment(segment: string | undefined): KindWords | undefined {
  return kinds.find((kind) => kind.segment === segment)
}

export function wordsOf(kind: ManagedKind): KindWords {
  const words = kinds.find((one) => one.kind === kind)
  if (words === undefined) throw new Error(`there are no words for ${kind}`)
  return words
}

export function resourcePath({ path }: KindWords, id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}

/** The URL of the page on which a resource is edited. */
export function editAddress({ segment }: KindWords, id: string): string {
  return `/manage/${segment}/${encodeURIComponent(id)}`
}

/** The URL of the page that lists a kind. Monitors have one list, in a view of its own. */
export function listAddress({ kind, segment }: KindWords): string {
  return kind === 'Monitor' ? '/monitors' : `/manage/${segment}`
}

export function newAddress({ segment }: KindWords): string {
  return `/manage/new/${segment}`
}
