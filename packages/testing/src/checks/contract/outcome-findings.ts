// checks/contract/outcome-findings.ts: whether a driver ended by itself, with a complete outcome, the right
// status, and words that a person understands.
import type { Outcome } from '@pulseward/server/internal/checks/driver.ts'
import type { Encounter } from '../scenarios.ts'
import type { DriverEnd } from './meet.ts'

const LONGEST_SENTENCE = 300

export function outcomeFindings(end: DriverEnd, encounter: Encounter): string[] {
  switch (end.kind) {
    case 'pending':
      return ['gives no outcome of its own by its deadline']
    case 'threw':
      return [`throws: ${String(end.error)}`]
    case 'rejected':
      return [`rejects: ${String(end.error)}`]
    case 'gave':
      return isWhole(end.outcome)
        ? statusFindings(end.outcome, encounter)
        : [`gives no outcome: ${JSON.stringify(end.outcome)}`]
  }
}

function isWhole(outcome: unknown): outcome is Outcome {
  if (typeof outcome !== 'object' || outcome === null) return false
  const { status, latencyMs, reason, warning, evidence, certificateExpiresAt } = outcome as Outcome
  const isText = (value: unknown): boolean => value === null || typeof value === 'string'
  return (
    ['success', 'failure', 'timeout', 'no_data'].includes(status) &&
    ['target', 'local'].includes(evidence) &&
    Number.isFinite(latencyMs) &&
    latencyMs >= 0 &&
    isText(reason) &&
    isText(warning) &&
    (certificateExpiresAt === null || Number.isFinite(certificateExpiresAt))
  )
}

function statusFindings(outcome: Outcome, { status, evidence }: Encounter): string[] {
  const findings: string[] = []
  const words = outcome.reason === null ? '' : ` (${outcome.reason})`
  if (outcome.status !== status) findings.push(`ends as ${outcome.status}${words} instead of ${status}`)
  else if (status !== 'success' && outcome.evidence !== evidence)
    findings.push(`takes ${outcome.evidence} evidence for its outcome${words} instead of ${evidence}`)
  if (outcome.status === 'success' && outcome.reason !== null) findings.push('gives a reason for a success')
  if (outcome.status !== 'success') findings.push(...sentenceFindings('reason', outcome.reason ?? ''))
  if (outcome.warning !== null) findings.push(...sentenceFindings('warning', outcome.warning))
  return findings
}

function sentenceFindings(part: string, text: string): string[] {
  const faults: [boolean, string][] = [
    [text.trim() === '', 'is empty'],
    [text.length > LONGEST_SENTENCE, `is ${text.length} characters long`],
    [/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'is not one line of plain text'],
    [/\w*(Error|Exception)\s?[:[]|^\s*at .+:\d+:\d+/m.test(text), 'shows an error of a program'],
    [/\b(undefined|NaN)\b|\[object \w+\]/.test(text), 'holds a value that no person wrote'],
  ]
  return faults.filter(([isFault]) => isFault).map(([, words]) => `gives a ${part} that ${words}: ${text}`)
}
