// Who is on call by the schedules of a running service, as it answers.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ServedNext } from '../client/served.fixture.ts'

const dayMs = 86_400_000
const today = Math.floor(Date.now() / dayMs) * dayMs
const local = (days: number) => new Date(today + days * dayMs).toISOString().slice(0, 16)

/** Ana and Bo take turns of a week from three days ago; an override of Ana in it is no hand-over. */
const fleet = `
endpoints: { push: { type: log, config: {} } }
people: { ana: { name: Ana Berg, endpoints: [push] }, bo: { endpoints: [push] } }
schedules:
  primary:
    timezone: Asia/Tokyo
    layers: [{ people: [ana, bo], start: "${local(-3)}" }]
    overrides: [{ from: "${local(1)}", to: "${local(2)}", person: ana }]
  later: { layers: [{ people: [bo], start: "${local(40)}" }] }
  never: { layers: [{ people: [bo], start: "2199-01-01T00:00" }] }
`

let served: ServedNext
beforeAll(async () => {
  served = await ServedNext.start({ fleet })
})
afterAll(() => served[Symbol.asyncDispose]())

const tokyo = (days: number) => new Date(today + days * dayMs - 9 * 3_600_000).toISOString()

async function duties(...words: string[]) {
  const { code, stdout, stderr } = await served.run(['oncall', '-o', 'json', ...words])
  expect([code, stderr]).toEqual([0, ''])
  return Object.fromEntries(
    JSON.parse(stdout).map(({ schedule, person, name, until, next }: Record<string, unknown>) => [
      schedule,
      [person, name, until, next],
    ]),
  )
}

it('says who is on call, until when on the clocks of the schedule, and who is next', async () => {
  const { code, stdout } = await served.run(['oncall'])
  expect(code).toBe(0)
  const until = local(4).replace('T', ' ')
  expect(stdout).toMatch(new RegExp(`^primary +Ana Berg +${until} Asia/Tokyo +bo$`, 'm'))
  expect(stdout).toMatch(/^later +no person +\S+ 00:00 UTC +bo$/m)
  expect(stdout).toMatch(/^never +no person +- +-$/m)
})

it('answers the same in JSON, and for another moment', async () => {
  const now = {
    primary: ['ana', 'Ana Berg', tokyo(4), 'bo'],
    later: [null, null, new Date(today + 40 * dayMs).toISOString(), 'bo'],
    never: [null, null, null, null],
  }
  expect(await duties()).toEqual(now)
  expect(await duties('--at', new Date().toISOString())).toEqual(now)
  expect(await duties('--at', new Date(today + 45 * dayMs).toISOString())).toEqual({
    primary: ['ana', 'Ana Berg', tokyo(46), 'bo'],
    later: ['bo', null, null, null],
    never: [null, null, null, null],
  })
})

it('refuses files and a service at once, and a moment without an offset', async () => {
  const both = await served.run(['oncall', served.folder.path('fleet.yaml')])
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('Name fleet files or a service')])
  const { code, stderr } = await served.run(['oncall', '--at', '2026-03-30T07:00'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('write it with its offset')])
})
