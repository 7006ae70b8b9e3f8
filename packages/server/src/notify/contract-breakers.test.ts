// Notifiers that break one promise each, and the contract that catches them. Each is the webhook notifier with one
// fault, so whatever is found is that fault.
import { type NotifierPeers, notifierFindings } from '@pulseward/testing/notify'
import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type ActionOutcome, accepted, rejected, retry } from '../platform/action-outcome.ts'
import type { Notification, Notifier } from './driver.ts'
import { startPeers } from './webhook/peers.ts'
import { webhook } from './webhook/webhook.ts'

const honest: Notifier = webhook
type Notify = Notifier['notify']

/** Just enough peers to show a fault; all drivers share them. */
let peers: NotifierPeers
beforeAll(async () => {
  const { encounters: all, ...others } = await startPeers()
  const kept = ['accepting', 'rejecting', 'failing for now', 'refusing', 'forbidden', 'cutting', 'garbage']
  const encounters = Object.fromEntries([...kept, 'endless', 'limiting'].map((peer) => [peer, all[peer]!]))
  peers = { ...others, encounters: { ...encounters, silent: { ...all['silent']!, timeoutMs: 80 } } }
})
afterAll(() => peers[Symbol.asyncDispose]())

let leaked: Disposable[] = []
afterEach(() => {
  for (const leak of leaked) leak[Symbol.dispose]()
  leaked = []
})

const shared = { async [Symbol.asyncDispose]() {} }
const findingsOf = (driver: Notifier) => notifierFindings(driver, async () => ({ ...peers, ...shared }))

/** The honest driver with another outcome. */
function retold(change: (outcome: ActionOutcome, config: Record<string, unknown>) => unknown): Notify {
  return async (config, notification, run) =>
    change(await honest.notify(config, notification, run), config) as ActionOutcome
}

/** The honest driver with another message. */
function saying(change: (notification: Notification) => object): Notify {
  return async (config, notification, run) => {
    const body = JSON.stringify({
      summary: `${notification.monitor}: ${notification.seen}`,
      ...change(notification),
    })
    const socket = await run.network.connect({
      host: '127.0.0.1',
      port: Number(new URL(config['url'] as string).port),
    })
    const answered = new Promise<void>((resolve) =>
      socket.on('data', () => resolve()).on('close', () => resolve()),
    )
    socket.write(`POST / HTTP/1.1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    await answered
    socket.destroy()
    return accepted()
  }
}

const triesAgain: Notify = async (config, notification, run) => {
  const outcome = await honest.notify(config, notification, run)
  return outcome.kind === 'retry' ? await honest.notify(config, notification, run) : outcome
}

/** Only once: the contract spends its patience on each leak. */
const leaksTimer: Notify = (config, notification, run) => {
  if (leaked.length > 0) return honest.notify(config, notification, run)
  const timer = setInterval(() => {}, 1_000)
  leaked.push({ [Symbol.dispose]: () => clearInterval(timer) })
  return honest.notify(config, notification, run)
}

const ignoresDeadline: Notify = (config, notification, run) =>
  honest.notify(config, notification, { ...run, signal: new AbortController().signal })

const throws: Notify = () => {
  throw new Error('a bug')
}

const openSchema = Type.Object(webhook.config.properties)

const breakers: Readonly<Record<string, [Notifier, RegExp]>> = {
  'accepts whatever is answered': [
    { ...honest, notify: retold((outcome) => (outcome.kind === 'rejected' ? accepted() : outcome)) },
    /^rejecting peer: ends as accepted instead of rejected/,
  ],
  'reports a lost answer as a failure': [
    { ...honest, notify: retold((outcome) => (outcome.kind === 'unknown' ? retry('lost') : outcome)) },
    /^cutting peer: ends as retry \(lost\) instead of unknown/,
  ],
  'forgets the wait': [
    { ...honest, notify: retold((outcome) => (outcome.kind === 'retry' ? retry('busy') : outcome)) },
    /^limiting peer: waits null ms instead of 12000 ms/,
  ],
  'reveals its configuration': [
    {
      ...honest,
      notify: retold((outcome, config) =>
        outcome.kind === 'rejected' ? rejected(`no: ${config['url']}`) : outcome,
      ),
    },
    /^rejecting peer: reveals a secret/,
  ],
  'shows the whole URL': [
    { ...honest, target: (config) => String(config['url']) },
    /^reveals a secret in the target/,
  ],
  'has no summary': [{ ...honest, summary: '' }, /^has no sentence for a summary/],
  'says nothing of its needs': [{ ...honest, needs: '' }, /^does not say in a sentence what it needs/],
  'accepts unknown fields': [{ ...honest, config: openSchema }, /the schema is not closed/],
  'names no rate': [{ ...honest, rate: { maxInFlight: 0, perSecond: null } }, /^names no rate/],
  'tries again': [{ ...honest, notify: triesAgain }, /^failing for now peer: tries again by itself/],
  'leaks a timer': [{ ...honest, notify: leaksTimer }, /peer: leaves behind .*1 × .*time/i],
  'ignores its deadline': [
    { ...honest, notify: ignoresDeadline },
    /^silent peer: gives no outcome of its own/,
  ],
  throws: [
    { ...honest, notify: throws },
    /^accepting peer: .*gives no outcome of its own|instead of accepted/,
  ],
  'returns nothing': [{ ...honest, notify: retold(() => undefined) }, /^accepting peer: ends as unknown/],
  'gives an empty reason': [
    { ...honest, notify: retold((outcome) => (outcome.kind === 'rejected' ? rejected('') : outcome)) },
    /^rejecting peer: gives no reason/,
  ],
  'sends texts unchanged': [{ ...honest, notify: saying(() => ({})) }, /^lets foreign text become a mention/],
  'cuts characters in two': [
    { ...honest, notify: saying(({ monitor }) => ({ summary: monitor.slice(0, 101) })) },
    /^cuts a text in the middle of a character/,
  ],
}

it('finds nothing wrong with an honest driver', async () => {
  expect(await findingsOf(honest)).toEqual([])
})

it.each(Object.entries(breakers))('finds out a driver that %s', async (_, [driver, finding]) => {
  expect(await findingsOf(driver)).toContainEqual(expect.stringMatching(finding))
})
