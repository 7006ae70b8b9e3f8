// client/revision.ts: the version that a write is based on. The user may name the version that was looked at;
// otherwise the command reads the current one first, and the write fails if it changes in between.
import { UsageError } from '@pulseward/server'
import { type FlagSpec, lastValue, type ParsedArguments } from '../arguments.ts'

export const revisionFlag: FlagSpec = {
  kind: 'value',
  valueName: 'VERSION',
  summary: 'Only if it still has this version. Default: its current version.',
}

export function revisionFrom(parsed: ParsedArguments): string | null {
  const revision = lastValue(parsed, 'revision')
  if (revision === null || /^[\x21\x23-\x7e]{1,128}$/.test(revision)) return revision
  throw new UsageError('--revision: a version is at most 128 visible ASCII characters without quotes.')
}

/** Without the version that a write needs, nothing can be written. */
export function orNoRevision(revision: string | undefined, what: string): string {
  if (revision) return revision
  throw new UsageError(`The service did not give the version of ${what}; name it with --revision.`)
}
