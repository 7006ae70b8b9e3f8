// v1/schemas.ts: the schemas of v1 that have a name of their own in the OpenAPI document and in the docs.
import type { TSchema } from 'typebox'
import { Audience, AudienceMember, AudienceRule } from './audience.ts'
import { Because } from './because.ts'
import { Config } from './config.ts'
import {
  BeatNotice,
  FleetNotice,
  IncidentNotice,
  PositionNotice,
  ResetNotice,
  SnapshotNotice,
} from './event-stream.ts'
import { CandidateReadyz, Healthz, MainReadyz } from './health.ts'
import { History, HistoryEvent, NextHistory, NextHistoryEvent } from './history.ts'
import {
  Incident,
  IncidentList,
  LastAction,
  MainIncident,
  MainIncidentList,
  NextIncident,
  NextIncidentList,
  NextLastAction,
} from './incidents.ts'
import { MainMonitorDetail, MonitorDetail, NextMonitorDetail, Verification } from './monitor-detail.ts'
import { MainMonitorList, MonitorList, NextMonitorList } from './monitor-list.ts'
import { MainMonitorRow, MonitorRow, NextMonitorRow } from './monitor-row.ts'
import { NextOverview, Overview } from './overview.ts'
import { Pool, Pools } from './pools.ts'
import { FieldError, Problem } from './problem.ts'
import { Destination, Queue, Queues } from './queues.ts'
import { PoolSample, PoolSeries, QueueSample, QueueSeries } from './series.ts'
import { Percentiles, RecoveryCoverage, Slo, SloReport } from './slo.ts'
import { Stale } from './stale.ts'
import { ActionEntry, ExternalWorker, ExternalWorkers, NextActionEntry, NextState, State } from './state.ts'
import { System, SystemAggregate, Systems } from './systems.ts'
import { RecentTrend, RecentTrends, Trend, TrendCell, TrendIncident, TrendMaintenance } from './trend.ts'
import { Timestamp } from './values.ts'
import { v1WordLists } from './word-lists.ts'

export const v1Schemas = {
  Timestamp,
  ...v1WordLists,
  Stale,
  Problem,
  FieldError,
  Healthz,
  CandidateReadyz,
  MainReadyz,
  Overview,
  NextOverview,
  MonitorList,
  MonitorRow,
  MonitorDetail,
  Verification,
  MainMonitorList,
  MainMonitorRow,
  MainMonitorDetail,
  NextMonitorDetail,
  Audience,
  AudienceMember,
  AudienceRule,
  NextMonitorList,
  NextMonitorRow,
  IncidentList,
  Incident,
  LastAction,
  MainIncidentList,
  MainIncident,
  NextIncidentList,
  NextIncident,
  NextLastAction,
  Because,
  Systems,
  System,
  SystemAggregate,
  Queues,
  Queue,
  Destination,
  QueueSeries,
  QueueSample,
  Pools,
  Pool,
  PoolSeries,
  PoolSample,
  Config,
  State,
  ActionEntry,
  NextState,
  NextActionEntry,
  ExternalWorkers,
  ExternalWorker,
  History,
  HistoryEvent,
  NextHistory,
  NextHistoryEvent,
  Slo,
  SloReport,
  Percentiles,
  RecoveryCoverage,
  Trend,
  TrendCell,
  TrendIncident,
  TrendMaintenance,
  RecentTrends,
  RecentTrend,
  IncidentNotice,
  PositionNotice,
  FleetNotice,
  SnapshotNotice,
  ResetNotice,
  BeatNotice,
} as const satisfies Record<string, TSchema>
