// Recoveries that break one promise each, and the contract that catches them.
import { type OutboundPeers, recoveryFindings } from '@pulseward/testing/recovery'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ActionOutcome, accepted, rejected } from '../platform/action-outcome.ts'
import type { RecoveryDriver } from './driver.ts'
import { startPeers } from './webhook/peers.ts'
import { webhook } from './webhook/webhook.ts'

const honest: RecoveryDriver = webhook

let peers: OutboundPeers
beforeAll(async () => {
  const { encounters: all, ...others } = await startPeers()
  const kept = ['accepting', 'rejecting', 'refusing', 'silent', 'cutting']
  peers = { ...others, encounters: Object.fromEntries(kept.map((peer) => [peer, all[peer]!])) }
})
afterAll(() => peers[Symbol.asyncDispose]())

const shared = { async [Symbol.asyncDispose]() {} }
const findingsOf = (driver: RecoveryDriver) => recoveryFindings(driver, async () => ({ ...peers, ...shared }))

function retold(
  change: (outcome: ActionOutcome, again: () => Promise<ActionOutcome>) => unknown,
): RecoveryDriver {
  return {
    ...honest,
    async recover(config, intervention, run) {
      const recover = () => honest.recover(config, intervention, run)
      return change(await recover(), recover) as ActionOutcome
    },
  }
}

const breakers: Readonly<Record<string, [RecoveryDriver, RegExp]>> = {
  'reports a lost answer as a rejection': [
    retold((outcome) => (outcome.kind === 'unknown' ? rejected('lost') : outcome)),
    /^cutting peer: ends as rejected \(lost\) instead of unknown/,
  ],
  'reports every answer as an acceptance': [
    retold(() => accepted()),
    /^rejecting peer: ends as accepted instead of rejected/,
  ],
  'tries again': [
    retold((outcome, again) => (outcome.kind === 'rejected' ? again() : outcome)),
    /^rejecting peer: tries again by itself/,
  ],
  'has one key for everything': [{ ...honest, targetKey: () => 'key' }, /^has one key for two targets/],
  'has a new key each time': [
    { ...honest, targetKey: () => String(performance.now()) },
    /^has two keys for one target/,
  ],
  'shows the whole URL': [
    { ...honest, target: (config) => String(config['url']) },
    /^reveals a secret in the target/,
  ],
  throws: [
    retold(() => {
      throw new Error('a bug')
    }),
    /^accepting peer: gives no outcome of its own/,
  ],
}

it('finds nothing wrong with an honest driver', async () => {
  expect(await findingsOf(honest)).toEqual([])
})

it.each(Object.entries(breakers))('finds out a driver that %s', async (_, [driver, finding]) => {
  expect(await findingsOf(driver)).toContainEqual(expect.stringMatching(finding))
})
