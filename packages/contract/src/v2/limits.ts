// v2/limits.ts: the bounds of the v2 wire, once, for schemas, service, client and docs. Units are in the names.

const KiB = 1024
const MiB = 1024 * KiB

export const limits = {
  bodyBytes: 1 * MiB,
  uploadBytes: 4 * MiB,
  uploadItems: 256,
  operationItems: 1_000_000,
  listLimitDefault: 100,
  listLimit: 500,
  cursorLifetimeSeconds: 5 * 60,
  selectorClauses: 16,
  selectorBytes: 1 * KiB,
  snoozeHours: 720,
  controlTextBytes: 4 * KiB,
  recoversPerMinute: 1,
  recoversPerHour: 3,
  stagingIdleHours: 24,
  operationRetentionDays: 30,
  jobSchemaBytes: 64 * KiB,
  jobTimeoutHours: 24,
  rejectionCodes: 32,
  pollWaitSeconds: 25,
  pollOffersDefault: 16,
  pollOffers: 100,
  startLeaseSeconds: 30,
  diagnosticBytes: 64 * KiB,
  evidenceEntries: 64,
  evidenceEntryBytes: 4 * KiB,
  principalTokenCharacters: 32,
  clientTimeoutMs: 10_000,
  clientResponseBytes: 64 * MiB,
} as const
