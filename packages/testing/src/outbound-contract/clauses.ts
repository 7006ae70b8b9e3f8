// outbound-contract/clauses.ts: what notifiers and recoveries promise alike: a described configuration, a target that
// can be shown, the right verdict in words and in time, one attempt a run, no secret given away, nothing left behind.
// Each clause says in words what is broken.

import { mapSecrets } from '@pulseward/server/internal/config/fleet-file/credentials.ts'
import type { Network } from '@pulseward/server/internal/platform/network/network.ts'
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { isAsBefore, leftBehind, openAtRest, watchTimers } from '../checks/contract/left-behind.ts'
import { patiently } from '../checks/contract/patiently.ts'
import { schemaFindings } from '../checks/contract/schema-findings.ts'
import { revealsSecret } from '../checks/contract/secret-findings.ts'
import { Lateness } from '../lateness.ts'
import type { Encounter, OutboundScenarios } from './scenarios.ts'

const MOST_LATE_MS = 50
const CROWD = 24
const LONGEST_SENTENCE = 300
const PATIENT_MS = 3_000

export interface OutboundVerdict {
  readonly kind: string
  readonly reason?: string
  readonly note?: string | null
  readonly waitMs?: number | null
}

/** A driver and the real runner around it. */
export interface Subject {
  readonly summary: string
  readonly config: TObject
  /** The peers that it has to be tried with. */
  readonly requiredPeers: readonly string[]
  target(config: Record<string, unknown>): string
  /** With no secrets to redact: a driver has to keep them itself, and the runner's redaction is only the last net. */
  run(config: Record<string, unknown>, network: Network, timeoutMs: number): Promise<OutboundVerdict>
}

export type Clause = (subject: Subject, scenarios: OutboundScenarios) => Promise<string[]> | string[]

export const outboundClauses: Readonly<Record<string, Clause>> = {
  'describes itself and its whole configuration': describesItself,
  'is tried with peers of every kind': isTriedWithEveryKind,
  'shows a target without a secret': showsTarget,
  'judges every peer rightly, in words and in time, after one attempt, and leaves nothing behind':
    meetsEveryPeer,
  'leaves nothing behind when many run at once': standsACrowd,
}

/** The configuration as a driver gets it. */
export function configInPlace(
  { config }: Subject,
  { credentials }: OutboundScenarios,
  encounter: Encounter,
): Record<string, unknown> {
  return mapSecrets(config, encounter.config, (name) => credentials.get(name) ?? '') as Record<
    string,
    unknown
  >
}

function describesItself({ summary, config }: Subject): string[] {
  const isSentence = /^[A-Z].*\.$/.test(summary)
  return [...(isSentence ? [] : ['has no sentence for a summary']), ...schemaFindings(config)]
}

function isTriedWithEveryKind({ config, requiredPeers }: Subject, { peers }: OutboundScenarios): string[] {
  const missing = requiredPeers.filter((peer) => peers[peer] === undefined)
  const schema = Compile(config)
  const invalid = Object.entries(peers).filter(([, encounter]) => !schema.Check(encounter.config))
  return [
    ...missing.map((peer) => `is not tried with a ${peer} peer`),
    ...invalid.map(([peer]) => `is tried with a ${peer} peer by a configuration that is not valid`),
  ]
}

function showsTarget(subject: Subject, scenarios: OutboundScenarios): string[] {
  return Object.entries(scenarios.peers).flatMap(([peer, encounter]) => {
    const target = subject.target(configInPlace(subject, scenarios, encounter))
    if (target === '' || /\p{Cc}/u.test(target)) return [`shows ${target} as the target of a ${peer} peer`]
    return revealsSecret(target, scenarios.secrets) ? [`reveals a secret in the target ${target}`] : []
  })
}

async function meetsEveryPeer(subject: Subject, scenarios: OutboundScenarios): Promise<string[]> {
  const findings: string[] = []
  let before = await openAtRest(scenarios)
  for (const [peer, encounter] of Object.entries(scenarios.peers)) {
    if (!isAsBefore(scenarios, before)) before = await openAtRest(scenarios)
    const broken = await patiently(timeoutMsOf(encounter), (timeoutMs) =>
      meetingFindings(subject, scenarios, { ...encounter, timeoutMs }),
    )
    broken.push(...(await leftBehind(scenarios, before)))
    findings.push(...broken.map((finding) => `${peer} peer: ${finding}`))
  }
  return findings
}

async function meetingFindings(
  subject: Subject,
  scenarios: OutboundScenarios,
  encounter: Encounter,
): Promise<string[]> {
  const { verdict, lateMs, attempts } = await meet(subject, scenarios, encounter)
  const findings = verdictFindings(verdict, encounter)
  if (lateMs > MOST_LATE_MS) findings.push(`is ${Math.round(lateMs)} ms late`)
  if (attempts > 1) findings.push('tries again by itself')
  if (revealsSecret(wordsOf(verdict), scenarios.secrets)) findings.push('reveals a secret')
  return findings
}

async function standsACrowd(subject: Subject, scenarios: OutboundScenarios): Promise<string[]> {
  const { accepting, silent = accepting } = scenarios.peers
  const before = await openAtRest(scenarios)
  const findings = await patiently(timeoutMsOf(silent!), async (timeoutMs) => {
    const encounters = Array.from({ length: CROWD }, (_, index) =>
      index % 2 === 0 ? accepting! : { ...silent!, timeoutMs },
    )
    const meetings = await Promise.all(encounters.map((encounter) => meet(subject, scenarios, encounter)))
    const wrong = meetings.filter(({ verdict }, index) => verdict.kind !== encounters[index]!.kind)
    return wrong.length === 0 ? [] : [`misjudges ${wrong.length} of ${CROWD} peers at once`]
  })
  const left = await leftBehind(scenarios, before)
  return [...findings, ...left.map((finding) => `after ${CROWD} runs at once: ${finding}`)]
}

interface Meeting {
  readonly verdict: OutboundVerdict
  /** 0 when there was a verdict before the deadline. */
  readonly lateMs: number
  readonly attempts: number
}

async function meet(subject: Subject, scenarios: OutboundScenarios, encounter: Encounter): Promise<Meeting> {
  const timeoutMs = timeoutMsOf(encounter)
  const config = configInPlace(subject, scenarios, encounter)
  const attemptsBefore = scenarios.attempts()
  using lateness = new Lateness(timeoutMs)
  const verdict = await new Promise<OutboundVerdict>((resolve) => {
    watchTimers(() => resolve(subject.run(config, scenarios.network, timeoutMs)))
  })
  return { verdict, lateMs: lateness.ms, attempts: scenarios.attempts() - attemptsBefore }
}

function timeoutMsOf({ timeoutMs }: Encounter): number {
  return timeoutMs ?? PATIENT_MS
}

function wordsOf({ reason, note }: OutboundVerdict): string {
  return reason ?? note ?? ''
}

function verdictFindings(verdict: OutboundVerdict, encounter: Encounter): string[] {
  const words = wordsOf(verdict)
  const said = words === '' ? '' : ` (${words})`
  const isFine = verdict.reason === undefined
  const faults: [boolean, string][] = [
    [verdict.kind !== encounter.kind, `ends as ${verdict.kind}${said} instead of ${encounter.kind}`],
    [
      encounter.waitMs !== undefined && verdict.waitMs !== encounter.waitMs,
      `waits ${verdict.waitMs} ms instead of ${encounter.waitMs} ms`,
    ],
    // The words of the runner, who had to answer for the driver.
    [/itself failed|did not stop by itself/.test(words), `gives no verdict of its own${said}`],
    [!isFine && words.trim() === '', 'gives no reason'],
    [words.length > LONGEST_SENTENCE, `gives a reason of ${words.length} characters`],
    [/[\p{Cc}\p{Zl}\p{Zp}]/u.test(words), 'gives a reason that is not one line of plain text'],
    [/\b(undefined|NaN)\b|\[object \w+\]/.test(words), `gives a reason that no person wrote${said}`],
  ]
  return faults.filter(([isFault]) => isFault).map(([, finding]) => finding)
}
