// Snoozed monitors are disabled on the wire; the command tells them apart, and its figures agree with each other.
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

const run = (line: string) =>
  runInProcess([...line.split(' '), '--server', peer.url], {
    timeZone: 'UTC',
    environment: { NO_COLOR: '1' },
  })

/** What the command shows of the answer after the change. */
async function shown<Body>(line: string, change: (body: Body) => object): Promise<string> {
  const body = JSON.parse((await run(`${line} -o json`)).stdout) as Body
  peer.misbehave(misbehaviours.answersInstead({ body: JSON.stringify(change(body)) }))
  return (await run(line)).stdout
}

const snoozed_until = '2026-03-01T15:00:00.000Z'
const none = { disabled: 0, verifying: 0, incident: 0, down: 0, unknown: 0, degraded: 0, up: 0 }

it('get monitors shows until when a monitor is snoozed', async () => {
  const listed = ({ monitors, ...rest }: v1.NextMonitorList) => ({
    ...rest,
    monitors: monitors.map((row) => ({ ...row, status: 'disabled', snoozed_until })),
  })
  expect(await shown('get monitors', listed)).toMatch(/ snoozed until 1 Mar 15:00 /)
})

it('get monitor shows until when it is snoozed', async () => {
  const one = (body: v1.MonitorDetail) => ({ ...body, status: 'disabled', snoozed_until })
  expect(await shown('get monitor 2', one)).toMatch(/^Status +snoozed until 1 Mar 15:00$/m)
})

it.each<[object, string, RegExp]>([
  [{ disabled: 3, up: 2 }, '0', /^By status +snoozed 1, disabled 2, up 2$/m],
  [{ disabled: 1, up: 2 }, '1, of which 1 snoozed', /^By status +snoozed 1, up 2$/m],
  [
    { disabled: 1, incident: 1, verifying: 2 },
    '3, of which 2 verifying or snoozed',
    /^By status +snoozed 1,/m,
  ],
])('get overview counts every monitor once: %j', async (counts, incidents, byStatus) => {
  const overview = (body: v1.Overview) => ({
    ...body,
    snoozed: 1,
    by_status: { ...none, ...counts },
    incidents: Number.parseInt(incidents, 10),
  })
  const text = await shown('get overview', overview)
  expect(text).toMatch(new RegExp(`^Incidents +${incidents}$`, 'm'))
  expect(text).toMatch(byStatus)
})
