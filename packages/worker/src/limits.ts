// limits.ts: limits of the protocol that a worker observes itself. limits.test.ts compares them with the contract.
export const limits = {
  bodyBytes: 1_048_576,
  pollWaitSeconds: 25,
  pollOffers: 100,
  startLeaseSeconds: 5,
  diagnosticBytes: 65_536,
  evidenceEntries: 64,
  evidenceEntryBytes: 4_096,
} as const
