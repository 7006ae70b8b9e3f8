// v1/index.ts: the entry point of v1: schemas with their types, the words of the wire, its limits, error codes and
// operations.

export { Audience, AudienceMember, AudienceRule, audienceRuleKinds } from './audience.ts'
export { Because } from './because.ts'
export { Config } from './config.ts'
export {
  FleetNotice,
  IncidentNotice,
  PositionNotice,
  ResetNotice,
  SnapshotNotice,
  type StreamEventData,
  type StreamEventName,
  streamEvents,
} from './event-stream.ts'
export { type FleetMap, fleetMapLayout, readFleetMap } from './fleet-map.ts'
export { CandidateReadyz, Healthz, MainReadyz, type ReadinessReason, readinessReasons } from './health.ts'
export { History, HistoryEvent, NextHistory, NextHistoryEvent } from './history.ts'
export {
  Incident,
  IncidentList,
  LastAction,
  MainIncident,
  MainIncidentList,
  NextIncident,
  NextIncidentList,
  NextLastAction,
} from './incidents.ts'
export { v1Limits } from './limits.ts'
export { Location, LocationProbe, type ProbeState, probeStates } from './locations.ts'
export {
  CheckSeen,
  LocationFinding,
  MainMonitorDetail,
  MonitorDetail,
  NextMonitorDetail,
  PushReport,
  Verification,
} from './monitor-detail.ts'
export { MainMonitorList, MonitorList, NextMonitorList } from './monitor-list.ts'
export { MainMonitorRow, MonitorId, MonitorRow, NextMonitorRow } from './monitor-row.ts'
export { type V1OperationName, v1Operations } from './operations.ts'
export { NextOverview, Overview } from './overview.ts'
export { Pool, Pools } from './pools.ts'
export { commonProblems, Problem, type ProblemCode, problemMediaType, problems } from './problem.ts'
export { ActiveProcess, type ProcessRole, processRoles, ServiceProcess } from './processes.ts'
export { Destination, Queue, Queues } from './queues.ts'
export { PoolSeries, QueueSeries } from './series.ts'
export { Slo, SloReport } from './slo.ts'
export { Stale, type StaleReason, staleHeader, staleHeaderName, staleReasons } from './stale.ts'
export { ActionEntry, ExternalWorker, ExternalWorkers, NextActionEntry, NextState, State } from './state.ts'
export { Systems } from './systems.ts'
export {
  RecentTrend,
  RecentTrends,
  Trend,
  TrendCell,
  TrendIncident,
  TrendMaintenance,
  type TrendWindow,
  trendWindows,
} from './trend.ts'
export {
  actionKinds,
  actionOutcomes,
  actionStates,
  type BecauseKind,
  becauseKinds,
  type Code,
  checkOutcomes,
  codes,
  controlEventTypes,
  destinationStates,
  eventOutcomes,
  eventTypes,
  type MonitorSort,
  monitorSorts,
  nextActionOutcomes,
  nextEventOutcomes,
  type Pipeline,
  pipelines,
  pushSignals,
  pushStates,
  type Status,
  sizingModels,
  sloConditions,
  statuses,
  storeModes,
  systemNames,
} from './values.ts'
