// What the commands that show the fleet say about data that the service does not keep up to date.
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
  runInProcess([...line.split(' '), '--server', peer.url], { now: '2027-01-01T00:00:00.000Z' })
const stale = { since: '2026-03-01T09:30:05.000Z', reason: 'storage_unavailable' }

it.each(['overview', 'monitors', 'monitor 2', 'incidents'])(
  'get %s begins with a line about stale data, and only then',
  async (subject) => {
    const fresh = await run(`get ${subject}`)
    const body = JSON.parse((await run(`get ${subject} -o json`)).stdout)
    const instead = misbehaviours.answersInstead({ body: JSON.stringify({ ...body, stale }) })
    // By the number of a monitor, its id is looked for first.
    peer.misbehave((response, answer) =>
      (answer.status === 404 ? misbehaviours.answersInstead({}) : instead)(response, answer),
    )
    const { code, stdout } = await run(`get ${subject}`)
    expect(code).toBe(0)
    const [line, ...rest] = stdout.split('\n')
    expect(line).toMatch(/^Stale, as of 1 Mar 2026 09:30: decisions cannot be stored, so no checks run/)
    expect(rest.join('\n').trim()).toBe(fresh.stdout.trim())
    expect(fresh.stdout).not.toMatch(/Stale/)
    expect(JSON.parse((await run(`get ${subject} -o json`)).stdout).stale).toEqual(stale)
  },
)
