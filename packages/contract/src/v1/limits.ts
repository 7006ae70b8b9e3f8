// v1/limits.ts: the bounds of the v1 wire, once, for schemas, service, clients and docs. Units are in the names.
export const v1Limits = {
  pageDefault: 1,
  sizeDefault: 50,
  /** More is cut to it, and the answer says so. */
  sizeCap: 500,
  historyLimitDefault: 100,
  /** More is refused. */
  historyLimitMaximum: 500,
  /** External workers that are shown one by one. */
  workersShown: 100,
  /** An external worker without a job that has not called for so long is forgotten. */
  workersKeptMinutes: 10,
  seriesSamples: 900,
  seriesIntervalSeconds: 1,
  readyProgressSeconds: 30,
  readySnapshotAgeSeconds: 30,
  snapshotIntervalSeconds: 5,
  indexCapDefault: 1_000_000,
  eventRetentionDays: 30,
  sloWindowSeconds: 300,
  /** Thirty days of hours. */
  trendCells: 720,
  trendIncidents: 1_000,
  requestIdCharacters: 128,
  compressedFromBytes: 1024,
  requestHeadBytes: 16 * 1024,
  requestBodyBytes: 1024,
} as const
