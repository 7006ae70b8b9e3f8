// encode-outcome.ts: encodes a result once; the text is stored and sent unchanged. Texts that are too long
// are cut and marked as cut, the job's secret is redacted everywhere, and a result that cannot be sent
// becomes an outcome that says why.

import type { JobKind } from './job-type.ts'
import type { Execution } from './journal.ts'
import { limits } from './limits.ts'
import type { AnyOutcome } from './outcomes.ts'

const redacted = '[REDACTED]'

/** The outcome of a job whose handler gave no usable outcome. */
export function saidNothing(kind: JobKind, diagnostic: string): AnyOutcome {
  return { status: kind === 'check' ? 'noData' : 'unknown', diagnostic }
}

/** The outcome of a job that was definitely not started. */
export function notBegun(kind: JobKind, diagnostic: string): AnyOutcome {
  return { status: kind === 'check' ? 'noData' : 'rejected', diagnostic }
}

const statuses: Readonly<Record<JobKind, readonly string[]>> = {
  check: ['success', 'failure', 'noData'],
  recovery: ['accepted', 'completed', 'rejected', 'unknown'],
  notification: ['accepted', 'delivered', 'rejected', 'unknown'],
}

export function encodeOutcome(execution: Execution, outcome: AnyOutcome, credential = ''): string {
  const { kind } = execution
  const instead = (why: string) => encoded(execution, saidNothing(kind, why), credential)
  if (!statuses[kind].includes(outcome?.status)) {
    return instead(`The handler answered with something that is not an outcome of a ${kind}.`)
  }
  try {
    const text = encoded(execution, outcome, credential)
    if (Buffer.byteLength(text) <= limits.bodyBytes) return text
    return instead(`The result of the handler is larger than ${limits.bodyBytes} bytes.`)
  } catch {
    return instead('The result of the handler cannot be written as JSON.')
  }
}

function encoded({ executionID, grantID, kind }: Execution, outcome: AnyOutcome, credential: string): string {
  const hide = (text: string) => (credential === '' ? text : text.replaceAll(credential, redacted))
  const { entries, note } = cutEvidence(textsOf(outcome.evidence), hide)
  const said = typeof outcome.diagnostic === 'string' ? hide(outcome.diagnostic).toWellFormed() : ''
  const { text, isCut } = cut([said, note].filter(Boolean).join('\n'), limits.diagnosticBytes)
  const body = {
    executionID,
    grantID,
    kind,
    status: outcome.status,
    ...(text === '' ? {} : { diagnostic: text, diagnosticTruncated: isCut }),
    ...('rejectionCode' in outcome ? { rejectionCode: outcome.rejectionCode } : {}),
    ...(entries.length === 0 ? {} : { evidence: entries }),
    data: outcome.data,
  }
  if (credential === '') return JSON.stringify(body)
  const data = JSON.stringify(body.data, (_, value) => (typeof value === 'string' ? hide(value) : value))
  return JSON.stringify({ ...body, data: data === undefined ? undefined : JSON.parse(data) })
}

function textsOf(evidence: unknown): string[] {
  return Array.isArray(evidence) ? evidence.map(String) : []
}

/** The entries that fit, and a sentence about those that do not. */
function cutEvidence(evidence: readonly string[], hide: (text: string) => string) {
  const cuts = evidence
    .slice(0, limits.evidenceEntries)
    .map((entry) => cut(hide(entry).toWellFormed(), limits.evidenceEntryBytes))
  const left = evidence.length - cuts.length
  const shortened = cuts.filter(({ isCut }) => isCut).length
  const note = [
    left > 0 && `${left} entries of the evidence were left out: at most ${limits.evidenceEntries} are kept.`,
    shortened > 0 && `${shortened} entries of the evidence were cut at ${limits.evidenceEntryBytes} bytes.`,
  ]
  return { entries: cuts.map(({ text }) => text), note: note.filter(Boolean).join(' ') }
}

/** Cuts between characters, never inside one. */
function cut(text: string, mostBytes: number): { readonly text: string; readonly isCut: boolean } {
  if (text.length * 3 <= mostBytes || Buffer.byteLength(text) <= mostBytes) return { text, isCut: false }
  const bytes = Buffer.from(text)
  let end = mostBytes
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return { text: bytes.toString('utf8', 0, end), isCut: true }
}
