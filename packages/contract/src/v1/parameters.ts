// v1/parameters.ts: the parameters of v1, as decoded. Unknown ones are ignored; duplicate ones are refused.
import { Type } from 'typebox'
import { v1Limits } from './limits.ts'
import { staleHeaderName, staleReasons } from './stale.ts'
import { TrendWindow } from './trend.ts'
import { codes, field, MonitorNumber, monitorSorts, oneOf, statuses, Text } from './values.ts'

const AtLeastOne = (fallback: number) => Type.Integer({ minimum: 1, default: fallback })

const page = field(
  AtLeastOne(v1Limits.pageDefault),
  'The number of the page, from 1. One past the end is empty.',
)
const size = field(
  AtLeastOne(v1Limits.sizeDefault),
  `Rows per page; more than ${v1Limits.sizeCap} is cut to it.`,
)

/** There is no filter for the others: without the parameter, all are listed. */
export const TellsNobody = Type.Enum(['true'], {
  type: 'string',
  description: 'Only enabled monitors that tell nobody when they fail: their red has no destination.',
})
export const yesOrNo = ['true', 'false'] as const

const filters = {
  status: Type.Optional(field(Text, `Exactly this status, in any case: ${statuses.join(', ')}.`)),
  type: Type.Optional(field(Text, 'Exactly this kind of check, in any case.')),
  code: Type.Optional(
    field(Text, `Exactly this pending notification color, in any case: ${codes.join(', ')}.`),
  ),
  snoozed: Type.Optional(field(oneOf(yesOrNo), 'Only snoozed monitors, or only those that are not snoozed.')),
  q: Type.Optional(field(Text, 'A part of the name, in any case.')),
  tells_nobody: Type.Optional(TellsNobody),
  tag: Type.Optional(
    field(Text, 'Only monitors with exactly this tag, in any case; empty for those without a tag.'),
  ),
  label: Type.Optional(
    field(Text, 'Only monitors with this label, as `key=value`; a key alone means any value. Case matters.'),
  ),
  told: Type.Optional(
    field(Text, 'Only monitors that tell this destination in some color, by their own rules or by a route.'),
  ),
  group: Type.Optional(
    field(Text, 'Only monitors for which a rule, their own or a route, names this group of destinations.'),
  ),
}

export const MonitorOrder = field(
  oneOf([...monitorSorts, ...monitorSorts.map((name) => `-${name}` as const)]),
  'A field of the rows; with a minus, from its other end.',
)

export const MonitorPath = Type.Object({ id: field(MonitorNumber, 'The number of the monitor.') })

export const PageQuery = Type.Object({ page: Type.Optional(page), size: Type.Optional(size) })

export const FilterQuery = Type.Object(filters)

export const MonitorListQuery = Type.Object({
  page: Type.Optional(page),
  size: Type.Optional(size),
  sort: Type.Optional(
    field(
      MonitorOrder,
      'What the rows are sorted by, name unless told; with a minus, from the other end. Status begins with what is wrong: incident, down, verifying, degraded, unknown, up, disabled. Unknown values come last either way, and equal ones are sorted by name.',
    ),
  ),
  ...filters,
})

export const RecentTrendsQuery = Type.Object({
  ids: Type.Optional(
    field(
      Text,
      `The numbers of up to ${v1Limits.recentMonitors} monitors, with commas between them; without it, none.`,
    ),
  ),
})

export const StateQuery = Type.Object({
  monitor_id: Type.Optional(field(Text, 'The stable identity of a monitor: adds its revision and actions.')),
})

export const HistoryOrder = Type.Enum(['asc', 'desc'], {
  type: 'string',
  default: 'asc',
  description: 'The order of events: as they were committed, or the other way round.',
})

export const HistoryQuery = Type.Object({
  monitor_id: Type.Optional(field(Text, 'Only events of this monitor, by its stable identity.')),
  incident_id: Type.Optional(
    field(
      Text,
      'Only events of this incident and of the recovery action that came before it. A page may then have fewer events than its limit, or none, while there are more.',
    ),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: v1Limits.historyLimitMaximum,
      default: v1Limits.historyLimitDefault,
      description: 'Most events of a page. May change between pages.',
    }),
  ),
  cursor: Type.Optional(Type.String({ minLength: 1, description: 'The next_cursor of the page before.' })),
  order: Type.Optional(field(HistoryOrder, 'Oldest or newest first.')),
})

export const TrendQuery = Type.Object({
  window: Type.Optional(
    field(
      TrendWindow,
      'How far back, 24h unless told: cells of a minute, five minutes or an hour up to 6h, of five minutes or an hour for 24h, of hours up to 30d, of days for 90d.',
    ),
  ),
})

export const EventStreamHeaders = Type.Object({
  'Last-Event-ID': Type.Optional(
    field(Text, 'The id of the last event that was received: the stream continues after it.'),
  ),
})

export const MapHeaders = Type.Object({
  'If-None-Match': Type.Optional(field(Text, 'The ETag of the map that the client has.')),
})

export const MapAnswerHeaders = Type.Object({
  [staleHeaderName]: Type.Optional(
    Type.String({
      pattern: `^(${staleReasons.join('|')}); since="[^"]+"$`,
      description: 'Since when and why the map is not kept up to date; absent when it is.',
    }),
  ),
  ETag: field(
    Type.String({ pattern: '^"[^"]+"$' }),
    'A strong ETag: it changes with the fleet and with every status.',
  ),
})
