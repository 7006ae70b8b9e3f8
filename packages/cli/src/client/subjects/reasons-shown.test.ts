// What the commands say about actions that failed or wait, and about destinations that take no notifications.
import type { v1 } from '@pulseward/client'
import { misbehaviours, ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { runInProcess } from '../command.fixture.ts'

let peer: ReferencePeer
beforeAll(async () => {
  peer = await ReferencePeer.start()
})
afterEach(() => peer.misbehave(null))
afterAll(() => peer[Symbol.asyncDispose]())

const run = (line: string, columns?: number) =>
  runInProcess([...line.split(' '), '--server', peer.url], {
    timeZone: 'UTC',
    now: '2026-03-01T09:30:30.000Z',
    environment: { NO_COLOR: '1' },
    ...(columns !== undefined && { columns }),
  })

/** What the command shows of the answer after the change. */
async function shown<Body>(line: string, change: (body: Body) => object, columns?: number): Promise<string> {
  const body = JSON.parse((await run(`${line} -o json`)).stdout) as Body
  peer.misbehave(misbehaviours.answersInstead({ body: JSON.stringify(change(body)) }))
  return (await run(line, columns)).stdout
}

const since = '2026-03-01T09:30:05.000Z'
const until = '2026-03-01T09:30:21.000Z'
const ailing = ({ destinations, ...rest }: v1.Queues) => ({
  ...rest,
  destinations: destinations.map((one) => ({ ...one, state: 'ailing', since, reason: 'HTTP 503', until })),
})

it('get queues shows since when, why and until when a destination takes no notifications', async () => {
  expect(await shown('get queues', ailing)).toMatch(
    /ops-slack +slack +ailing +1 +09:30:05 +09:30:21 +HTTP 503$/m,
  )
  expect(await shown('get queues', ailing, 60)).toMatch(/ailing +1 .*HTTP 503$/m)
})

it('get state shows why an action ended so and what a queued one waits for', async () => {
  const failed = (body: v1.State) => {
    const [queued] = body.actions!
    const ended = { ...queued!, state: 'failed', outcome: 'rejected', reason: 'HTTP 503', waiting_for: null }
    return { ...body, actions: [queued, ended] }
  }
  const line = 'get state --monitor-id checkout-api'
  const text = await shown(line, failed)
  expect(text).toMatch(/ queued .* cooldown +- +-$/m)
  expect(text).toMatch(/ failed .* - +rejected +HTTP 503$/m)
  expect(await shown(line, failed, 80)).toMatch(/ failed .*HTTP 503$/m)
})

it('get state says first what holds a failing monitor back, and nothing when nothing does', async () => {
  const held_back = 'its recovery action waits for the recovery budget'
  const line = 'get state --monitor-id checkout-api'
  expect(await shown<v1.State>(line, (body) => ({ ...body, held_back }))).toMatch(
    /^It fails, yet no incident is open: its recovery action waits for the recovery budget\.\n/,
  )
  expect(await shown<v1.State>(line, (body) => ({ ...body, held_back: null }))).not.toMatch(/no incident/)
})

it('get history shows the reason of an event', async () => {
  const refused = ({ events, ...rest }: v1.History) => ({
    ...rest,
    events: events.map((event) => ({
      ...event,
      type: 'action_failed',
      kind: 'code',
      endpoint: 'ops',
      reason: 'HTTP 503',
    })),
  })
  expect(await shown('get history', refused)).toMatch(/ Notification to ops failed .*HTTP 503$/m)
  expect(await shown('get history', refused, 60)).toMatch(/Notification to ops f.*HTTP 503$/m)
})
