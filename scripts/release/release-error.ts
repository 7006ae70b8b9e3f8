// scripts/release/release-error.ts: why a release cannot be made: a sentence for the person who asked for it.
export class ReleaseError extends Error {}
