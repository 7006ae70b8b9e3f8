// kinds/job-type-versions.ts: a version of a job type never changes: workers and jobs in flight rely on it.
// The digest of every version written in an incarnation is kept, so that none is reused with other content.
import type { v2 } from '@pulseward/contract'
import { canonicalDigest } from '../platform/json/canonical-json.ts'

export type WrittenVersion = readonly [version: string, digest: string]

type Spec = v2.JobType['spec']

/** Beyond this, the oldest are forgotten. */
const mostVersions = 1_000

/** The versions written so far, with this one as the last. */
export function withVersion(versions: readonly WrittenVersion[], spec: Spec): readonly WrittenVersion[] {
  const others = versions.filter(([version]) => version !== spec.version)
  return [...others.slice(1 - mostVersions), [spec.version, canonicalDigest(spec)]]
}

/** Why the spec may not be written, as the rest of a sentence about its version; null if it may. */
export function versionProblem(versions: readonly WrittenVersion[], spec: Spec): string | null {
  const place = versions.findIndex(([version]) => version === spec.version)
  if (place === -1 || versions[place]?.[1] === canonicalDigest(spec)) return null
  return place === versions.length - 1
    ? 'must be another one, since a version never changes; give the changed job type a new version'
    : 'was written before with other content, and a version never changes; give it a version that is new'
}
