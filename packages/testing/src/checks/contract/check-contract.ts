// checks/contract/check-contract.ts: what every check driver promises, whatever its protocol: a closed
// configuration with descriptions, a target that can be shown, the right outcome in words and in time,
// nothing left open, bounded memory, no leaked secret. contractFindings returns sentences about what is
// broken, so that tests can show that the suite fails for a bad driver; checkContracts turns it into tests.

import type { CheckDriver } from '@pulseward/server/internal/checks/driver.ts'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { peersOf } from '../peers-of.ts'
import {
  type CheckScenarios,
  type Encounter,
  endless,
  fails,
  reflecting,
  requiredPeers,
  type StartScenarios,
  timeoutMsOf,
} from '../scenarios.ts'
import { breakConnections } from './broken-network.ts'
import { isAsBefore, leftBehind, openAtRest } from './left-behind.ts'
import { liveBytes, liveBytesBeyond } from './live-memory.ts'
import { configInPlace, type Meeting, meet } from './meet.ts'
import { outcomeFindings } from './outcome-findings.ts'
import { patiently } from './patiently.ts'
import { holdsSecret, schemaFindings } from './schema-findings.ts'
import { revealsSecret } from './secret-findings.ts'
import { promisedSentence, troubleFindings } from './trouble-findings.ts'

const MOST_LATE_MS = 50
const CROWD = 80
/** Many concurrent handshakes are slow on a busy machine. */
const CROWDED_TIMEOUT_MS = 10_000
/** Far above every limit of a driver, far below what a peer can send before the deadline. */
const MOST_LIVE_BYTES = 24 * 1024 * 1024

/** Errors of a system call on an open connection that are caused by this machine or its network. */
const LOCAL_ERRORS = ['ENETDOWN', 'EHOSTUNREACH', 'ENOBUFS', 'EPERM', 'ETIMEDOUT']

type Clause = (driver: CheckDriver, scenarios: CheckScenarios) => Promise<string[]> | string[]

const clauses: Readonly<Record<string, Clause>> = {
  'describes itself and its whole configuration': describesItself,
  'is tried with peers of every kind': isTriedWithEveryKind,
  'shows a target without user info, query, fragment or secret': showsTarget,
  'gives the right outcome for every peer, in words and in time, and leaves nothing behind': meetsEveryPeer,
  'tells a person who tries it what it saw, with the same outcome and without a secret': tellsWhatItSaw,
  'does not blame its peer for what breaks a connection on this machine': blamesNoPeerForOurSide,
  'holds little memory whatever an endless peer sends': boundsMemory,
  'leaves nothing behind when many run at once': keepsApartManyAtOnce,
}

/** Clauses that take seconds for each driver: `npm test` holds the first driver of each share to them, the long tests all. */
const costly: ReadonlySet<string> = new Set([
  'holds little memory whatever an endless peer sends',
  'leaves nothing behind when many run at once',
])

/** One of several test files that share the drivers, so that they run at the same time. */
export interface Share {
  readonly part: number
  readonly of: number
}

/** Tests every driver of one share of the registry; shares are counted from 1 and cover it together. */
export function checkContracts(registry: Readonly<Record<string, unknown>>, { part, of }: Share): void {
  for (const [index, [name, driver]] of Object.entries(registry).entries()) {
    if (index % of === part - 1) checkContract(name, driver as CheckDriver, index < of)
  }
}

function checkContract(name: string, driver: CheckDriver, isFirst: boolean): void {
  describe(`the ${name} check`, () => {
    let scenarios: CheckScenarios
    beforeAll(async () => {
      scenarios = await (await peersOf(name)).startPeers()
      await warmUp(driver, scenarios)
    })
    afterAll(() => scenarios[Symbol.asyncDispose]())
    for (const [promise, clause] of Object.entries(clauses)) {
      const tags = costly.has(promise) && !isFirst ? ['long'] : []
      it(promise, { tags }, async () => expect(await clause(driver, scenarios)).toEqual([]))
    }
  })
}

/**
 * The clauses of the contract that the driver breaks; empty if it keeps them all. Stops at the first broken
 * clause: a driver that fails with one peer need not be tried with many.
 */
export async function contractFindings(driver: CheckDriver, start: StartScenarios): Promise<string[]> {
  await using scenarios = await start()
  await warmUp(driver, scenarios)
  for (const clause of Object.values(clauses)) {
    const findings = await clause(driver, scenarios)
    if (findings.length > 0) return findings
  }
  return []
}

/**
 * Opens what a network opens once and keeps, such as DNS sockets, so that it does not count as left behind by the driver.
 */
async function warmUp(driver: CheckDriver, scenarios: CheckScenarios): Promise<void> {
  await meet(driver, scenarios, scenarios.peers.healthy)
}

function describesItself({ summary, config }: CheckDriver): string[] {
  const isSentence = /^[A-Z].*\.$/.test(summary)
  return [...(isSentence ? [] : ['has no sentence for a summary']), ...schemaFindings(config)]
}

function isTriedWithEveryKind(driver: CheckDriver, scenarios: CheckScenarios): string[] {
  const { peers } = scenarios
  const findings: string[] = requiredPeers
    .filter((peer) => peers[peer] === undefined)
    .map((peer) => `is not tried with a ${peer} peer`)
  const isReflected = Object.keys(peers).some((peer) => peer.startsWith(reflecting))
  if (holdsSecret(driver.config) && !isReflected) findings.push(`is not tried with a ${reflecting} peer`)
  const schema = Compile(driver.config)
  for (const [peer, { config }] of Object.entries(peers)) {
    if (!schema.Check(config))
      findings.push(`is tried with a ${peer} peer by a configuration that is not valid`)
  }
  return [...findings, ...troubleFindings(scenarios)]
}

function showsTarget(driver: CheckDriver, scenarios: CheckScenarios): string[] {
  return Object.entries(scenarios.peers).flatMap(([peer, encounter]) => {
    const target = driver.target(configInPlace(driver, scenarios, encounter))
    if (target === '' || /[@?#\p{Cc}]/u.test(target))
      return [`shows ${target} as the target of a ${peer} peer`]
    return revealsSecret(target, scenarios.credentials.values())
      ? [`reveals a secret in the target ${target}`]
      : []
  })
}

async function meetsEveryPeer(driver: CheckDriver, scenarios: CheckScenarios): Promise<string[]> {
  const findings: string[] = []
  let before = await openAtRest(scenarios)
  for (const [peer, encounter] of Object.entries(scenarios.peers)) {
    if (!isAsBefore(scenarios, before)) before = await openAtRest(scenarios)
    const broken = await patiently(timeoutMsOf(encounter), (timeoutMs) =>
      meetingFindings(driver, scenarios, peer, { ...encounter, timeoutMs }),
    )
    broken.push(...(await leftBehind(scenarios, before)))
    findings.push(...broken.map((finding) => `${peer} peer: ${finding}`))
  }
  return findings
}

async function meetingFindings(
  driver: CheckDriver,
  scenarios: CheckScenarios,
  peer: string,
  encounter: Encounter,
): Promise<string[]> {
  let meeting = await meet(driver, scenarios, encounter)
  // A stalled machine makes any driver late, but not every time.
  for (let again = 0; again < 2 && meeting.lateMs > MOST_LATE_MS; again++)
    meeting = await meet(driver, scenarios, encounter)
  const findings = outcomeFindings(meeting.end, encounter)
  if (meeting.lateMs > MOST_LATE_MS) findings.push(`is ${Math.round(meeting.lateMs)} ms late`)
  if (reveals(meeting, scenarios)) findings.push('reveals a secret')
  return [...findings, ...sentenceFindings(meeting, promisedSentence(scenarios, peer, encounter))]
}

/** With the peers whose answers it reads to the end; another path of the driver may lead there. */
async function tellsWhatItSaw(driver: CheckDriver, scenarios: CheckScenarios): Promise<string[]> {
  const findings: string[] = []
  const { unhealthy = [] } = scenarios.troubles
  const told = new Set(['healthy', ...unhealthy.map(({ peer }) => peer)])
  for (const [peer, encounter] of Object.entries(scenarios.peers)) {
    if (!told.has(peer) && !peer.startsWith(reflecting)) continue
    const broken = await patiently(timeoutMsOf(encounter), async (timeoutMs) => {
      const meeting = await meet(driver, scenarios, { ...encounter, timeoutMs }, true)
      return [...outcomeFindings(meeting.end, encounter), ...observationFindings(meeting, scenarios)]
    })
    findings.push(...broken.map((finding) => `${peer} peer: ${finding}`))
  }
  return findings
}

function observationFindings({ observations }: Meeting, { credentials }: CheckScenarios): string[] {
  return observations.flatMap(({ name, seen, expected }) => [
    ...(name === '' || seen === '' ? [`observes nothing of ${name}`] : []),
    ...(revealsSecret(`${name} ${seen} ${expected ?? ''}`, credentials.values())
      ? [`reveals a secret in what it saw of ${name}`]
      : []),
  ])
}

function sentenceFindings({ outcome }: Meeting, promised: string | null): string[] {
  const said = outcome.reason ?? outcome.warning
  return promised === null || said === promised ? [] : [`says "${said}" instead of "${promised}"`]
}

function reveals({ outcome }: Meeting, { credentials }: CheckScenarios): boolean {
  return revealsSecret(`${outcome.reason ?? ''} ${outcome.warning ?? ''}`, credentials.values())
}

async function blamesNoPeerForOurSide(driver: CheckDriver, scenarios: CheckScenarios): Promise<string[]> {
  const findings: string[] = []
  const { silent } = scenarios.peers
  for (const code of LOCAL_ERRORS) {
    const network = breakConnections(scenarios.network, code)
    const broken = await patiently(timeoutMsOf(silent), async (timeoutMs) => {
      const encounter = { ...fails(silent.config, 'local'), timeoutMs }
      const { end } = await meet(driver, { ...scenarios, network }, encounter)
      // A driver that speaks by datagrams has no connection that could break.
      return network.broken === 0 ? [] : outcomeFindings(end, encounter)
    })
    findings.push(...broken.map((finding) => `${code}: ${finding}`))
  }
  return findings
}

async function boundsMemory(driver: CheckDriver, scenarios: CheckScenarios): Promise<string[]> {
  const findings: string[] = []
  const before = liveBytes()
  for (const [peer, encounter] of Object.entries(scenarios.peers)) {
    if (!peer.startsWith(endless)) continue
    const bytes = await liveBytesBeyond(MOST_LIVE_BYTES, before, () => meet(driver, scenarios, encounter))
    if (bytes > 0) findings.push(`${peer} peer: holds ${Math.round(bytes / 2 ** 20)} MiB`)
  }
  return findings
}

async function keepsApartManyAtOnce(driver: CheckDriver, scenarios: CheckScenarios): Promise<string[]> {
  const { silent } = scenarios.peers
  const healthy = { ...scenarios.peers.healthy, timeoutMs: CROWDED_TIMEOUT_MS }
  const before = await openAtRest(scenarios)
  const encounters = Array.from({ length: CROWD }, (_, index) => (index % 2 === 0 ? healthy : silent))
  const isWrong = async (encounter: Encounter): Promise<boolean> =>
    outcomeFindings((await meet(driver, scenarios, encounter)).end, encounter).length > 0
  const wrong = (await Promise.all(encounters.map(isWrong))).filter((one) => one).length
  const findings = wrong === 0 ? [] : [`is wrong about ${wrong} of ${CROWD} peers at once`]
  const left = await leftBehind(scenarios, before)
  return [...findings, ...left.map((finding) => `after ${CROWD} runs at once: ${finding}`)]
}
