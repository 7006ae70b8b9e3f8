// api/v2/preconditions.ts: If-Match and If-None-Match in v2. Creating a resource requires If-None-Match: *. A replace,
// patch, delete or control requires If-Match with the one version that the caller inspected. All other operations take
// neither: a precondition that would be ignored is refused, because its sender relies on it.
import type { IncomingHttpHeaders } from 'node:http'
import type { v2 } from '@pulseward/contract'
import { V2Problem } from '../../requests/v2-problem.ts'

/** One strong entity tag, of characters that a version may have. */
const strongTag = /^"([\x21\x23-\x7e]{1,128})"$/

const names = ['If-Match', 'If-None-Match'] as const
type Name = (typeof names)[number]

/** The version in If-Match without its quotes; null for an operation that takes none. */
export function readPrecondition({ headers }: v2.V2Operation, sent: IncomingHttpHeaders): string | null {
  const wanted = names.find((name) => headers?.properties[name] !== undefined) ?? null
  const value = wanted === null ? undefined : sentAs(wanted, sent)
  if (wanted !== null && value === undefined) throw missing(wanted)
  const version = wanted === 'If-Match' ? versionIn(value ?? '') : null
  if (wanted === 'If-None-Match' && value !== '*')
    throw invalid(wanted, 'malformed', 'must be *: the resource must not exist yet')
  for (const name of names)
    if (name !== wanted && sentAs(name, sent) !== undefined)
      throw invalid(name, 'misplaced', misplaced(wanted))
  return version
}

/** Node joins several headers of one name into a list. */
function sentAs(name: Name, sent: IncomingHttpHeaders): string | undefined {
  return name === 'If-Match' ? sent['if-match'] : sent['if-none-match']
}

function versionIn(tag: string): string {
  const [, version] = strongTag.exec(tag) ?? []
  if (version !== undefined) return version
  throw invalid('If-Match', 'malformed', whatIsWrong(tag))
}

function whatIsWrong(tag: string): string {
  const form = 'must be one version in double quotes, as in the ETag of the answer'
  if (tag === '*') return `${form}; * would match any`
  if (/^W\//i.test(tag)) return `${form}; a weak one is not exact`
  return /^"[^"]*"\s*,/.test(tag) ? `${form}; here are several` : form
}

function misplaced(wanted: Name | null): string {
  return wanted === null
    ? 'has no place here: this operation takes no precondition'
    : `has no place here: this operation takes ${wanted}`
}

function missing(name: Name): V2Problem {
  const message =
    name === 'If-Match'
      ? 'is missing: say which version you have inspected, as in its ETag'
      : 'is missing: say If-None-Match: * to create what must not exist yet'
  return new V2Problem('preconditionRequired', `${name} ${message}.`, {
    errors: [{ field: name, reason: 'required', message }],
  })
}

function invalid(name: Name, reason: v2.FieldReason, message: string): V2Problem {
  return new V2Problem('invalidPrecondition', `${name} ${message}.`, {
    errors: [{ field: name, reason, message }],
  })
}
