// notify/contract.ts: what every notifier promises, whatever its provider: the clauses of outbound-contract/clauses.ts, a
// rate, and messages in which foreign text is harmless. notifierFindings returns sentences about what is broken, so that
// tests can show that the suite fails; notifierContracts turns it into tests.
import type { Notification, Notifier } from '@pulseward/server/internal/notify/driver.ts'
import { runNotifier } from '@pulseward/server/internal/notify/runner.ts'
import { configInPlace, outboundClauses, type Subject } from '../outbound-contract/clauses.ts'
import { driverContracts, type Share } from '../outbound-contract/driver-contracts.ts'
import type { OutboundPeers } from '../outbound-contract/peers.ts'
import { hostileNotification, longNotification, notificationOf } from './notifications.ts'

export interface NotifierPeers extends OutboundPeers {
  /** The readable text of the last message that the accepting peer received, including headers. */
  lastShown(): string
  /** Markup that foreign text must not become in this medium; null if the medium has none. */
  readonly markup: RegExp | null
  /** Where the log notifier writes. */
  readonly log?: (message: string) => void
}

export type StartNotifierPeers = () => Promise<NotifierPeers>

/** Every notifier that sends over a network meets these. */
export const requiredPeers = [
  'accepting',
  'rejecting',
  'failing for now',
  'refusing',
  'forbidden',
  'silent',
  'cutting',
  'garbage',
  'endless',
]

/** Far above what any provider accepts as one message. */
const LONGEST_MESSAGE = 64 * 1024

type NotifierClause = (driver: Notifier, peers: NotifierPeers) => Promise<string[]>

const clauses: Readonly<Record<string, NotifierClause>> = {
  ...Object.fromEntries(
    Object.entries(outboundClauses).map(([promise, clause]): [string, NotifierClause] => [
      promise,
      async (driver, peers) => clause(subjectOf(driver, peers, notificationOf()), peers),
    ]),
  ),
  'says what it needs': saysWhatItNeeds,
  'names a rate': namesARate,
  'lets foreign text do no harm': neutralisesText,
  'cuts what is too long': cutsLongText,
}

/** Tests the notifiers of a registry, or a share of them. */
export function notifierContracts(
  registry: Readonly<Record<string, Notifier>>,
  room: string,
  share: Share,
): Promise<void> {
  return driverContracts({ noun: 'notifier', registry, room, clauses }, share)
}

/** Every promise that the driver breaks, in words; empty if it keeps its contract. */
export async function notifierFindings(driver: Notifier, start: StartNotifierPeers): Promise<string[]> {
  await using peers = await start()
  const findings: string[] = []
  for (const clause of Object.values(clauses)) findings.push(...(await clause(driver, peers)))
  return findings
}

function subjectOf(driver: Notifier, { log }: NotifierPeers, notification: Notification): Subject {
  return {
    summary: driver.summary,
    config: driver.config,
    requiredPeers: log === undefined ? requiredPeers : ['accepting'],
    target: (config) => driver.target(config),
    run: (config, network, timeoutMs) =>
      runNotifier(
        { driver, config, notification, timeoutMs, secrets: [] },
        { network, log: log ?? (() => {}) },
      ),
  }
}

async function namesARate({ rate }: Notifier): Promise<string[]> {
  const isCount = Number.isInteger(rate.maxInFlight) && rate.maxInFlight >= 1
  const isRate = rate.perSecond === null || rate.perSecond > 0
  return isCount && isRate ? [] : ['names no rate that anything could be sent at']
}

async function saysWhatItNeeds({ needs }: Notifier): Promise<string[]> {
  return /^[A-Z].*\.$/.test(needs) ? [] : ['does not say in a sentence what it needs']
}

const harms: readonly [RegExp, string][] = [
  [/^X-Injected:/im, 'a header of its own'],
  [/@(everyone|here|channel)/, 'a mention'],
  [/[\0\u001b\u202e\u2028]/, 'a control character'],
]

async function neutralisesText(driver: Notifier, peers: NotifierPeers): Promise<string[]> {
  const shown = await shownOf(driver, peers, hostileNotification)
  if (shown === null) return ['does not deliver hostile text']
  const harmful = harms.filter(([harm]) => harm.test(shown)).map(([, words]) => words)
  if (peers.markup?.test(shown)) harmful.push('markup')
  return harmful.map((words) => `lets foreign text become ${words}`)
}

async function cutsLongText(driver: Notifier, peers: NotifierPeers): Promise<string[]> {
  const shown = await shownOf(driver, peers, longNotification)
  if (shown === null) return ['does not deliver a long text']
  if (!shown.isWellFormed()) return ['cuts a text in the middle of a character']
  return shown.length > LONGEST_MESSAGE ? [`sends a message of ${shown.length} characters`] : []
}

async function shownOf(
  driver: Notifier,
  peers: NotifierPeers,
  notification: Notification,
): Promise<string | null> {
  const subject = subjectOf(driver, peers, notification)
  const config = configInPlace(subject, peers, peers.encounters['accepting']!)
  const { kind } = await subject.run(config, peers.network, 3_000)
  return kind === 'accepted' ? peers.lastShown() : null
}
