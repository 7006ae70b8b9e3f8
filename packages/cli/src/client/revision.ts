// client/revision.ts: the version that a write is decided on. A person may name the one that was looked at; without it
// the command reads the thing first and writes only if it has not changed in between.
import { UsageError } from '@pulseward/server'
import { type FlagSpec, lastValue, type ParsedArguments } from '../arguments.ts'

export const revisionFlag: FlagSpec = {
  kind: 'value',
  valueName: 'VERSION',
  summary: 'Only if it is still in this version. Default: the one that it is in now.',
}

export function revisionFrom(parsed: ParsedArguments): string | null {
  const revision = lastValue(parsed, 'revision')
  if (revision === null || /^[\x21\x23-\x7e]{1,128}$/.test(revision)) return revision
  throw new UsageError('--revision: a version is at most 128 visible ASCII characters without quotes.')
}

/** A thing without the version that a write needs cannot be written to. */
export function orNoRevision(revision: string | undefined, what: string): string {
  if (revision) return revision
  throw new UsageError(`The service did not tell the version of ${what}; name it with --revision.`)
}
