// trial/check-report.ts: what one check saw, for people and for programs. Pure. Times count from the start of
// the check; a redirect repeats the phases of a connection.
import type { Outcome, Phase } from '@pulseward/server'
import { plain } from '../client/plain-text.ts'
import { exactTime } from '../client/table/local-time.ts'

export interface PassedPhase {
  readonly phase: Phase
  readonly atMs: number
}

export interface CheckReport {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly target: string
  readonly phases: readonly PassedPhase[]
  readonly outcome: Outcome
}

/** When and where the report is read. */
interface Reading {
  readonly nowMs: number
  readonly timeZone: string
}

const phaseWords: Readonly<Record<Phase, string>> = {
  resolve: 'resolved',
  connect: 'connected',
  tls: 'TLS',
  first_byte: 'first byte',
  total: 'total',
}

export function reportAsText(
  { name, type, target, phases, outcome }: CheckReport,
  { nowMs, timeZone }: Reading,
): string {
  const { latencyMs, warning, certificateExpiresAt } = outcome
  const all: PassedPhase[] = [...phases, { phase: 'total', atMs: latencyMs }]
  const lines = [
    `${plain(name)}: ${type} ${plain(target)}`,
    ...all.map(({ phase, atMs }) => `  ${phaseWords[phase].padEnd(10)} ${atMs.toFixed(1).padStart(9)} ms`),
    outcomeInWords(outcome),
  ]
  if (warning !== null) lines.push(`Warning: ${plain(warning)}.`)
  if (certificateExpiresAt !== null) lines.push(certificateLine(certificateExpiresAt, { nowMs, timeZone }))
  return lines.join('\n')
}

export function reportAsJson({ id, name, type, target, phases, outcome }: CheckReport): string {
  const { status, latencyMs, reason, warning, evidence, certificateExpiresAt } = outcome
  const report = {
    id,
    name,
    type,
    target,
    status,
    reason,
    warning,
    evidence: status === 'success' ? null : evidence,
    phases: phases.map(({ phase, atMs }) => ({ phase, at_ms: rounded(atMs) })),
    latency_ms: rounded(latencyMs),
    certificate_expires_at:
      certificateExpiresAt === null ? null : new Date(certificateExpiresAt).toISOString(),
  }
  return JSON.stringify(report, null, 2)
}

function outcomeInWords({ status, reason }: Outcome): string {
  if (status === 'success') return 'It is healthy.'
  const words = plain(reason ?? 'no reason was given')
  return status === 'no_data' ? `Nothing can be said: ${words}.` : `It is not healthy: ${words}.`
}

const DAY_MS = 86_400_000

function certificateLine(expiresAtMs: number, { nowMs, timeZone }: Reading): string {
  const days = Math.floor((expiresAtMs - nowMs) / DAY_MS)
  const when = exactTime(new Date(expiresAtMs).toISOString(), timeZone)
  return days < 0
    ? `The certificate ended at ${when}, ${-days} days ago.`
    : `The certificate ends at ${when}, in ${days} days.`
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000
}
