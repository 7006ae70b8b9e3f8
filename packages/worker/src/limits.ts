// limits.ts: bounds of the wire that a worker keeps by itself. limits.test.ts holds them against the contract.
export const limits = {
  bodyBytes: 1_048_576,
  pollWaitSeconds: 25,
  pollOffers: 100,
  startLeaseSeconds: 5,
  diagnosticBytes: 65_536,
  evidenceEntries: 64,
  evidenceEntryBytes: 4_096,
} as const
