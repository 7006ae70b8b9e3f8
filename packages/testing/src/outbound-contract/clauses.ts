// outbound-contract/clauses.ts: what both notifiers and recoveries promise: a described configuration, a
// target that can be shown, the right outcome with a reason and on time, one attempt per run, no leaked
// secret, nothing left open. Each clause returns sentences about what is broken.
import { mapReferences } from '@pulseward/server/internal/config/fleet-file/credential-places.ts'
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { Network } from '@pulseward/server/internal/platform/network/network.ts'
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { isAsBefore, leftBehind, nextTurn, openAtRest, watchTimers } from '../checks/contract/left-behind.ts'
import { patiently } from '../checks/contract/patiently.ts'
import { schemaFindings } from '../checks/contract/schema-findings.ts'
import { revealsSecret } from '../checks/contract/secret-findings.ts'
import { Lateness } from '../lateness.ts'
import type { Encounter, OutboundPeers } from './peers.ts'

const MOST_LATE_MS = 50
const CROWD = 24
const LONGEST_SENTENCE = 300
const PATIENT_MS = 3_000
/** Enough for all of a crowd, such as two dozen processes on a busy machine. */
const CROWD_MS = 60_000

/** A driver and the real runner around it. */
export interface Subject {
  readonly summary: string
  readonly config: TObject
  /** The peers that it must be tried with. */
  readonly requiredPeers: readonly string[]
  target(config: Record<string, unknown>): string
  /** Runs without secrets to redact: a driver must protect them itself; the runner's redaction is only a safety net. */
  run(config: Record<string, unknown>, network: Network, timeoutMs: number): Promise<ActionOutcome>
}

export type Clause = (subject: Subject, peers: OutboundPeers) => Promise<string[]> | string[]

export const outboundClauses: Readonly<Record<string, Clause>> = {
  'describes itself and its whole configuration': describesItself,
  'is tried with peers of every kind': isTriedWithEveryKind,
  'shows a target without a secret': showsTarget,
  'has the right outcome for every peer, with a reason, on time, after one attempt, and leaves nothing behind':
    meetsEveryPeer,
  'leaves nothing behind when many run at once': standsACrowd,
}

/** The configuration as a driver receives it. */
export function configInPlace(
  { config }: Subject,
  { credentials }: OutboundPeers,
  encounter: Encounter,
): Record<string, unknown> {
  return mapReferences(config, encounter.config, ({ name }) => credentials.get(name) ?? '') as Record<
    string,
    unknown
  >
}

function describesItself({ summary, config }: Subject): string[] {
  const isSentence = /^[A-Z].*\.$/.test(summary)
  return [...(isSentence ? [] : ['has no sentence for a summary']), ...schemaFindings(config)]
}

function isTriedWithEveryKind({ config, requiredPeers }: Subject, { encounters }: OutboundPeers): string[] {
  const missing = requiredPeers.filter((peer) => encounters[peer] === undefined)
  const schema = Compile(config)
  const invalid = Object.entries(encounters).filter(([, encounter]) => !schema.Check(encounter.config))
  return [
    ...missing.map((peer) => `is not tried with a ${peer} peer`),
    ...invalid.map(([peer]) => `is tried with a ${peer} peer by a configuration that is not valid`),
  ]
}

function showsTarget(subject: Subject, peers: OutboundPeers): string[] {
  return Object.entries(peers.encounters).flatMap(([peer, encounter]) => {
    const target = subject.target(configInPlace(subject, peers, encounter))
    if (target === '' || /\p{Cc}/u.test(target)) return [`shows ${target} as the target of a ${peer} peer`]
    return revealsSecret(target, peers.secrets) ? [`reveals a secret in the target ${target}`] : []
  })
}

async function meetsEveryPeer(subject: Subject, peers: OutboundPeers): Promise<string[]> {
  const findings: string[] = []
  let before = await openAtRest(peers)
  for (const [peer, encounter] of Object.entries(peers.encounters)) {
    if (!isAsBefore(peers, before)) before = await openAtRest(peers)
    const broken = await patiently(timeoutMsOf(encounter), (timeoutMs) =>
      meetingFindings(subject, peers, { ...encounter, timeoutMs }),
    )
    broken.push(...(await leftBehind(peers, before)))
    findings.push(...broken.map((finding) => `${peer} peer: ${finding}`))
  }
  return findings
}

async function meetingFindings(
  subject: Subject,
  peers: OutboundPeers,
  encounter: Encounter,
): Promise<string[]> {
  const { outcome, lateMs, attempts } = await meet(subject, peers, encounter)
  const findings = outcomeFindings(outcome, encounter)
  if (lateMs > MOST_LATE_MS) findings.push(`is ${Math.round(lateMs)} ms late`)
  if (attempts > 1) findings.push('tries again by itself')
  if (revealsSecret(wordsOf(outcome), peers.secrets)) findings.push('reveals a secret')
  return findings
}

async function standsACrowd(subject: Subject, peers: OutboundPeers): Promise<string[]> {
  const { accepting, silent = accepting } = peers.encounters
  if (accepting === undefined || silent === undefined) return ['is not tried with an accepting peer']
  const before = await openAtRest(peers)
  const findings = await patiently(timeoutMsOf(silent), async (timeoutMs) => {
    const encounters = Array.from({ length: CROWD }, (_, index) =>
      index % 2 === 0 ? { ...accepting, timeoutMs: CROWD_MS } : { ...silent, timeoutMs },
    )
    const meetings = await Promise.all(encounters.map((encounter) => meet(subject, peers, encounter)))
    const wrong = meetings.filter(({ outcome }, index) => outcome.kind !== encounters[index]?.kind)
    return wrong.length === 0 ? [] : [`has the wrong outcome for ${wrong.length} of ${CROWD} peers at once`]
  })
  const left = await leftBehind(peers, before)
  return [...findings, ...left.map((finding) => `after ${CROWD} runs at once: ${finding}`)]
}

interface Meeting {
  readonly outcome: ActionOutcome
  /** 0 if there was an outcome before the deadline. */
  readonly lateMs: number
  readonly attempts: number
}

async function meet(subject: Subject, peers: OutboundPeers, encounter: Encounter): Promise<Meeting> {
  const timeoutMs = timeoutMsOf(encounter)
  const config = configInPlace(subject, peers, encounter)
  // If a busy machine let an attempt time out, its connections may still have to be accepted.
  await nextTurn()
  await nextTurn()
  const attemptsBefore = peers.attempts()
  using lateness = new Lateness(timeoutMs)
  const outcome = await new Promise<ActionOutcome>((resolve) => {
    watchTimers(() => resolve(subject.run(config, peers.network, timeoutMs)))
  })
  return { outcome, lateMs: lateness.ms, attempts: peers.attempts() - attemptsBefore }
}

function timeoutMsOf({ timeoutMs }: Encounter): number {
  return timeoutMs ?? PATIENT_MS
}

function wordsOf(outcome: ActionOutcome): string {
  return outcome.kind === 'accepted' ? (outcome.note ?? '') : outcome.reason
}

function outcomeFindings(outcome: ActionOutcome, encounter: Encounter): string[] {
  const words = wordsOf(outcome)
  const said = words === '' ? '' : ` (${words})`
  const retryAfterMs = outcome.kind === 'retry' ? outcome.retryAfterMs : null
  const faults: [boolean, string][] = [
    [outcome.kind !== encounter.kind, `ends as ${outcome.kind}${said} instead of ${encounter.kind}`],
    [
      encounter.retryAfterMs !== undefined && retryAfterMs !== encounter.retryAfterMs,
      `waits ${retryAfterMs} ms instead of ${encounter.retryAfterMs} ms`,
    ],
    // These are sentences of the runner, which had to answer for the driver.
    [/itself failed|did not stop by itself/.test(words), `gives no outcome of its own${said}`],
    [outcome.kind !== 'accepted' && words.trim() === '', 'gives no reason'],
    [words.length > LONGEST_SENTENCE, `gives a reason of ${words.length} characters`],
    [/[\p{Cc}\p{Zl}\p{Zp}]/u.test(words), 'gives a reason that is not one line of plain text'],
    [/\b(undefined|NaN)\b|\[object \w+\]/.test(words), `gives a reason that is not a sentence${said}`],
  ]
  return faults.filter(([isFault]) => isFault).map(([, finding]) => finding)
}
