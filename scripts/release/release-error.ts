// scripts/release/release-error.ts: why there is no release: a sentence for the person who wanted one.
export class ReleaseError extends Error {}
