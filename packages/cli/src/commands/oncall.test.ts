import { temporaryFolder } from '@pulseward/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'

const fleet = `
endpoints: { ana-push: { type: log, config: {} }, ana-phone: { type: log, config: {} }, bo-push: { type: log, config: {} } }
people:
  ana: { name: Ana Berg, endpoints: [ana-push, ana-phone] }
  bo: { endpoints: [bo-push] }
schedules:
  primary:
    timezone: Europe/Berlin
    layers: [{ people: [bo, ana], start: "2026-03-02T09:00" }]
  later: { layers: [{ people: [bo], start: "2026-04-01T00:00" }] }
policies:
  page:
    steps:
      - { notify: [{ schedule: later }] }
      - { notify: [{ schedule: primary, all_endpoints: true }], wait: 10m }
      - { notify: [{ person: bo }] }
    quiet: { hours: "22:00-07:00" }
monitors:
  - { id: shop, name: Shop, policy: page, check: { type: http, config: { url: "http://shop/" } } }
`

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-29T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

async function pulseward(...words: string[]) {
  using folder = temporaryFolder({ 'fleet.yaml': fleet })
  return await runInProcess([...words, '--config', folder.path('fleet.yaml')])
}

describe('pulseward oncall', () => {
  it('says who is on call, until when on the clocks of the schedule, and who is next', async () => {
    const { code, stdout } = await pulseward('oncall')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^primary +Ana Berg +2026-03-30 09:00 Europe\/Berlin +bo$/m)
    expect(stdout).toMatch(/^later +no person +2026-04-01 00:00 UTC +bo$/m)
  })

  it('answers for another moment, in JSON', async () => {
    const { stdout } = await pulseward('oncall', '--at', '2026-03-30T07:00:00Z', '-o', 'json')
    expect(JSON.parse(stdout)[0]).toEqual({
      schedule: 'primary',
      timezone: 'Europe/Berlin',
      person: 'bo',
      name: null,
      until: '2026-04-06T07:00:00.000Z',
      next: 'ana',
    })
  })

  it('refuses a moment without an offset', async () => {
    const { code, stderr } = await pulseward('oncall', '--at', '2026-03-30T07:00')
    expect([code, stderr]).toEqual([2, expect.stringContaining('write it with its offset')])
  })
})

describe('pulseward policy test', () => {
  it('says whom a policy would tell, and when', async () => {
    const { code, stdout } = await pulseward('policy', 'test', 'page', '-o', 'json')
    expect(code).toBe(0)
    const rows = JSON.parse(stdout).map((row: Record<string, unknown>) => [
      row['after_seconds'],
      row['step'],
      row['person'],
      row['endpoints'],
    ])
    expect(rows).toEqual([
      [0, 1, null, []],
      [0, 2, 'ana', ['ana-push', 'ana-phone']],
      [600, 3, 'bo', ['bo-push']],
    ])
  })

  it('says who would have quiet hours', async () => {
    const { stdout } = await pulseward(
      'policy',
      'test',
      'page',
      '--at',
      '2026-03-29T22:30:00Z',
      '--severity',
      'warning',
    )
    expect(stdout).toContain('held until 2026-03-30T05:00Z')
  })

  it('refuses a policy that is not there', async () => {
    const { code, stderr } = await pulseward('policy', 'test', 'pages')
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no policy "pages"')])
    expect(stderr).toContain('Did you mean page?')
  })
})

describe('pulseward validate', () => {
  it('names the times in which a schedule in use has a gap, and that is no mistake', async () => {
    const { code, stderr } = await pulseward('validate')
    expect(code).toBe(0)
    expect(stderr).toContain(
      'note: no person is on call by the schedule later from 2026-03-29 12:00 to 2026-04-01 00:00 (UTC): its first layer starts at 2026-04-01 00:00. Add',
    )
    expect(stderr).not.toContain('schedule primary')
  })

  it('names a hole at the change to summer time, however many come before it', async () => {
    vi.setSystemTime('2026-03-16T00:00:00Z')
    const daily = (from: string, to: string) =>
      `{ days: [sun, mon, tue, wed, thu, fri, sat], from: "${from}", to: "${to}" }`
    const nightly = fleet.replace(
      'layers: [{ people: [bo, ana], start: "2026-03-02T09:00" }]',
      `layers: [{ people: [bo, ana], start: "2026-03-02T09:00", hours: [${daily('00:00', '01:00')}, ${daily('02:30', '24:00')}] }]`,
    )
    using folder = temporaryFolder({ 'fleet.yaml': nightly })
    const { code, stderr } = await runInProcess(['validate', folder.path('fleet.yaml')])
    expect(code).toBe(0)
    expect(stderr).toContain(
      'note: no person is on call by the schedule primary from 2026-03-16 01:00 to 2026-03-16 02:30, ',
    )
    expect(stderr).toContain(
      ', from 2026-03-20 01:00 to 2026-03-20 02:30, from 2026-03-29 01:00 to 2026-03-29 03:00 (the clocks go forward from 02:00 to 03:00, so this is 1 h), and 51 more times (Europe/Berlin): that is outside the hours of all its layers. Add a layer',
    )
  })
})
