// trial/check-report.ts: what one check saw, for people and for programs, run by this process or by a service. Pure.
// Times count from the start of the check; a redirect repeats the phases of a connection.
import { plain } from '../client/plain-text.ts'
import { exactTime } from '../client/table/local-time.ts'

export type TrialPhase = 'resolve' | 'connect' | 'tls' | 'first_byte' | 'total'

export interface PassedPhase {
  readonly phase: TrialPhase
  readonly atMs: number
}

export interface SeenInTrial {
  readonly name: string
  readonly seen: string
  /** Absent, like met, for a fact of which nothing is expected. */
  readonly expected?: string
  readonly met?: boolean
}

export interface CheckReport {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly target: string
  readonly phases: readonly PassedPhase[]
  readonly observations: readonly SeenInTrial[]
  readonly status: 'success' | 'failure' | 'timeout' | 'no_data'
  readonly latencyMs: number
  readonly reason: string | null
  readonly warning: string | null
  /** Whose side a failure is about; null if that is not known. */
  readonly evidence: 'target' | 'local' | null
  readonly certificateExpiresAt: number | null
}

/** When and where the report is read. */
interface Reading {
  readonly nowMs: number
  readonly timeZone: string
}

/** What checks call the time at which a certificate ends. */
export const endOfCertificate = 'certificate expires'

const phaseWords: Readonly<Record<TrialPhase, string>> = {
  resolve: 'resolved',
  connect: 'connected',
  tls: 'TLS',
  first_byte: 'first byte',
  total: 'total',
}

export function reportAsText(report: CheckReport, { nowMs, timeZone }: Reading): string {
  const { name, type, target, phases, observations, latencyMs, warning, certificateExpiresAt } = report
  const all: PassedPhase[] = [...phases, { phase: 'total', atMs: latencyMs }]
  const lines = [
    `${plain(name)}: ${type} ${plain(target)}`,
    ...all.map(({ phase, atMs }) => `  ${phaseWords[phase].padEnd(10)} ${atMs.toFixed(1).padStart(9)} ms`),
    // The end of the certificate has a separate line.
    ...observations
      .filter(({ name }) => name !== endOfCertificate)
      .map((one) => `  ${plain(observationInWords(one))}`),
    outcomeInWords(report),
  ]
  if (warning !== null) lines.push(`Warning: ${plain(warning)}.`)
  if (certificateExpiresAt !== null) lines.push(certificateLine(certificateExpiresAt, { nowMs, timeZone }))
  return lines.join('\n')
}

export function reportAsJson(report: CheckReport): string {
  const { id, name, type, target, status, reason, warning, evidence } = report
  const { phases, observations, latencyMs, certificateExpiresAt } = report
  const document = {
    id,
    name,
    type,
    target,
    status,
    reason,
    warning,
    evidence: status === 'success' ? null : evidence,
    phases: phases.map(({ phase, atMs }) => ({ phase, at_ms: rounded(atMs) })),
    observations,
    latency_ms: rounded(latencyMs),
    certificate_expires_at:
      certificateExpiresAt === null ? null : new Date(certificateExpiresAt).toISOString(),
  }
  return JSON.stringify(document, null, 2)
}

function observationInWords({ name, seen, expected, met }: SeenInTrial): string {
  if (expected === undefined) return `${name}: ${seen}`
  return `${name}: ${seen}, ${met === true ? 'as expected' : 'not as expected'} (${expected})`
}

function outcomeInWords({ status, reason }: CheckReport): string {
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
