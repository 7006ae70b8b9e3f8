// v1/trend.ts: availability and latency over the last hours, day, week, month or quarter, for one monitor or the
// fleet. Cells without samples are left out: an unknown value is never a zero.
import { type Static, Type } from 'typebox'
import { v1Limits } from './limits.ts'
import { Count, Flag, field, Measure, MonitorNumber, nullable, oneOf, Share, Timestamp } from './values.ts'

export const trendWindows = ['1h', '6h', '24h', '7d', '30d', '90d'] as const

export const TrendWindow = field(oneOf(trendWindows), 'How far back a trend goes.')

const AtLeastOne = Type.Integer({ minimum: 1 })

export const TrendCell = Type.Object(
  {
    at: field(Timestamp, 'When the cell begins.'),
    samples: field(AtLeastOne, 'Checks that said something about their target.'),
    healthy: field(Type.Integer({ minimum: 0 }), 'Those of them that succeeded.'),
    p50_ms: nullable(Measure, 'Half of the healthy samples took no longer, within 19 %; null without any.'),
    p95_ms: nullable(Measure, '95 % of the healthy samples took no longer, within 19 %; null without any.'),
  },
  { description: 'What was counted in a stretch of time.' },
)

export const TrendIncident = Type.Object(
  {
    opened_at: field(Timestamp, 'When it was opened, which may be before the window.'),
    closed_at: nullable(Timestamp, 'When it was closed; null while it is open.'),
  },
  { description: 'An incident that was open in the window.' },
)

export const TrendMaintenance = Type.Object(
  {
    begins_at: field(Timestamp, 'When it begins, or when the window of the trend does.'),
    ends_at: field(Timestamp, 'When it ends, which may be later than now.'),
  },
  { description: 'A maintenance window of the monitor.' },
)

export const Trend = Type.Object(
  {
    generated: field(Timestamp, 'The time of this answer.'),
    window: field(TrendWindow, 'How far back it goes. The last cell is the present one.'),
    cell_seconds: field(AtLeastOne, 'How long each cell is.'),
    cells: Type.Array(TrendCell, {
      maxItems: v1Limits.trendCells,
      description: 'The oldest first. A cell in which nothing was counted is left out.',
    }),
    availability: nullable(
      Share,
      'Healthy samples divided by all, over the window; null without samples. Not an SLA.',
    ),
    incidents: Type.Array(TrendIncident, {
      maxItems: v1Limits.trendIncidents,
      description: 'The newest first, and no more than the newest. Closed ones are kept for 30 days.',
    }),
    maintenance: nullable(
      Type.Array(TrendMaintenance),
      'The maintenance windows of the monitor as it is configured now, the earliest first; null for the fleet, and where there are too many to list.',
    ),
    complete: field(Flag, 'Whether the whole window was counted, without a gap.'),
  },
  { description: 'Availability and latency over a window of time.' },
)

const InEachCell = { minItems: v1Limits.recentCells, maxItems: v1Limits.recentCells } as const

export const RecentTrend = Type.Object(
  {
    id: field(MonitorNumber, 'The number of the monitor.'),
    samples: Type.Array(Count, {
      ...InEachCell,
      description: 'Checks that said something about their target; 0 where nothing was counted.',
    }),
    healthy: Type.Array(Count, { ...InEachCell, description: 'Those of them that succeeded.' }),
    p50_ms: Type.Array(Type.Union([Measure, Type.Null()]), {
      ...InEachCell,
      description: 'Half of the healthy samples took no longer, within 19 %; null without any.',
    }),
  },
  { description: 'What was counted of a monitor in each cell, the oldest first.' },
)

export const RecentTrends = Type.Object(
  {
    generated: field(Timestamp, 'The time of this answer.'),
    begins_at: field(Timestamp, 'When the first cell begins. The last cell is the present one.'),
    cell_seconds: field(AtLeastOne, 'How long each cell is: the shortest that are counted.'),
    monitors: Type.Array(RecentTrend, {
      maxItems: v1Limits.recentMonitors,
      description: 'In the order of the request, without numbers that no monitor has.',
    }),
  },
  { description: 'The last hours of several monitors.' },
)

export type RecentTrend = Static<typeof RecentTrend>
export type RecentTrends = Static<typeof RecentTrends>
export type TrendWindow = Static<typeof TrendWindow>
export type TrendCell = Static<typeof TrendCell>
export type TrendIncident = Static<typeof TrendIncident>
export type TrendMaintenance = Static<typeof TrendMaintenance>
export type Trend = Static<typeof Trend>
