// v1/limits.ts: the limits of v1 for schemas, service, clients and docs. Units are in the names.
export const v1Limits = {
  pageDefault: 1,
  sizeDefault: 50,
  /** A larger size is reduced to this, and the answer says so. */
  sizeCap: 500,
  historyLimitDefault: 100,
  /** A larger limit is refused. */
  historyLimitMaximum: 500,
  /** How many external workers are listed individually. */
  workersShown: 100,
  /** An idle external worker is forgotten after this long without a call. */
  workersKeptMinutes: 10,
  seriesSamples: 900,
  seriesIntervalSeconds: 1,
  readyProgressSeconds: 30,
  readySnapshotAgeSeconds: 30,
  snapshotIntervalSeconds: 5,
  indexCapDefault: 1_000_000,
  eventRetentionDays: 30,
  sloWindowSeconds: 300,
  /** The hours of thirty days. */
  trendCells: 720,
  trendIncidents: 1_000,
  /** The last three hours in cells of five minutes, or the last day and a half in hours. */
  recentCells: 36,
  /** More monitors than this in one request are refused. */
  recentMonitors: 100,
  /** Of a monitor that has something the matter. */
  lastChecks: 20,
  requestIdCharacters: 128,
  compressedFromBytes: 1024,
  requestHeadBytes: 16 * 1024,
  requestBodyBytes: 1024,
} as const
