// external-workers/report.ts: what a worker's report means to the service: its mistakes, its outcome for a
// check or an action, and the digest by which a repeated report is recognised.
import { hash } from 'node:crypto'
import { v2 } from '@pulseward/contract'
import type { OutcomeStatus } from '../checks/driver.ts'
import { longestLatencyMs } from '../fleet/columns.ts'
import type { JobTypeInForce } from '../kinds/job-type-in-force.ts'
import { type ActionOutcome, accepted, rejected, unknown } from '../platform/action-outcome.ts'
import { canonicalJson } from '../platform/json/canonical-json.ts'
import type { ExecutionEnd, JobKind, WorkerStatement } from '../store/execution.ts'

export interface ReportMistake {
  /** A JSON pointer into the report. */
  readonly field: string
  readonly reason: v2.FieldReason
  readonly message: string
}

type Said = Pick<v2.LateEvidenceRequest, 'executionID' | 'evidence' | 'diagnostic' | 'data'>

/** How much of the worker's text is shown with its monitor; the execution keeps all of it. */
const shownCharacters = 500

/** `jobType` is the version in force when the job was offered; null if it is no longer known. */
export function reportMistakes(
  { kind, status, rejectionCode, data }: v2.Outcome,
  kindOfJob: JobKind,
  jobType: JobTypeInForce | null,
): ReportMistake[] {
  if (kind !== kindOfJob) return [rule('/kind', `must be ${kindOfJob}, as the job is`)]
  const mistakes: ReportMistake[] = []
  const allowed: readonly string[] = v2.outcomeStatuses[kind]
  if (!allowed.includes(status))
    mistakes.push(rule('/status', `must be one of ${allowed.join(', ')} for a ${kind}`))
  if (rejectionCode !== undefined && status !== 'rejected')
    mistakes.push(rule('/rejectionCode', 'belongs to a rejection only'))
  else if (rejectionCode !== undefined && jobType?.rejectionCodes.has(rejectionCode) === false)
    mistakes.push(rule('/rejectionCode', 'is not a rejection code of the job type'))
  if (kind === 'check' && !isPossibleLatency(latencyIn(data)))
    mistakes.push(rule('/data/latencyMs', `must be from 0 to ${longestLatencyMs}, in milliseconds`))
  mistakes.push(...sizeMistakes({ data }))
  if (data === undefined || jobType === null) return mistakes
  for (const { pointer, reason, message } of jobType.results.mistakes(data))
    mistakes.push({ field: `/data${pointer}`, reason, message })
  return mistakes
}

/** What the worker says, as it is kept with the job. */
export function statementOf(
  id: string,
  { executionID: executionId, evidence = [], diagnostic, data = null }: Said,
): WorkerStatement {
  return { executionId, id, evidence, diagnostic: diagnostic ?? null, data }
}

/** The size as JSON, without the ids. */
export function bytesOf({ evidence, diagnostic, data }: WorkerStatement): number {
  return Buffer.byteLength(JSON.stringify({ evidence, diagnostic, data }))
}

/**
 * Checks only `data`: the contract's schemas bound evidence and diagnostic, but cannot count the bytes of arbitrary JSON.
 */
export function sizeMistakes({ data }: Pick<Said, 'data'>): ReportMistake[] {
  if (data === undefined || Buffer.byteLength(JSON.stringify(data)) <= v2.limits.resultDataBytes) return []
  return [rule('/data', `must be at most ${v2.limits.resultDataBytes / 1024} KiB as JSON`)]
}

/** Equal for equal reports, whatever the order of their keys. */
export function digestOf(report: object): string {
  return hash('sha256', canonicalJson(report), 'base64url').slice(0, 22)
}

export function dispositionOf({ status }: Pick<v2.Outcome, 'status'>): ExecutionEnd['disposition'] {
  if (status === 'unknown') return 'unknown'
  return status === 'accepted' ? 'accepted' : 'finalized'
}

const checkStatuses: Readonly<Record<string, OutcomeStatus>> = { success: 'success', failure: 'failure' }

/** The latency is the worker's own measurement, if it reports one. */
export function checkWordsOf(outcome: v2.Outcome): {
  readonly status: OutcomeStatus
  readonly reason: string | null
  readonly latencyMs?: number
} {
  const status = checkStatuses[outcome.status] ?? 'no_data'
  const reason = wordsOf(outcome)
  const latencyMs = latencyIn(outcome.data)
  return latencyMs === null ? { status, reason } : { status, reason, latencyMs }
}

/** Null if the worker does not report a latency. */
function latencyIn(data: unknown): number | null {
  if (typeof data !== 'object' || data === null || !('latencyMs' in data)) return null
  const { latencyMs } = data
  return typeof latencyMs === 'number' ? latencyMs : null
}

function isPossibleLatency(ms: number | null): boolean {
  return ms === null || (ms >= 0 && ms <= longestLatencyMs)
}

export function actionOutcomeOf(outcome: v2.Outcome): ActionOutcome {
  const words = wordsOf(outcome)
  switch (outcome.status) {
    case 'rejected':
      return rejected(words ?? 'the worker rejected it')
    case 'unknown':
      return unknown(words ?? 'the worker does not know what became of it')
    default:
      return words === null ? accepted() : accepted(words)
  }
}

/** The text shown to people; null if the worker gave none. */
function wordsOf({ rejectionCode, diagnostic }: v2.Outcome): string | null {
  const words = [rejectionCode, diagnostic].filter((part) => part !== undefined && part !== '').join(': ')
  if (words === '') return null
  const shown = [...words.slice(0, 2 * shownCharacters)].slice(0, shownCharacters).join('')
  return shown.length < words.length ? `${shown}…` : shown
}

function rule(field: string, message: string): ReportMistake {
  return { field, reason: 'rule', message }
}
