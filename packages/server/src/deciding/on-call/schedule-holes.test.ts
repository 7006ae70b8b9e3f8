import { loadFleetFiles } from '@pulseward/testing/fleet'
import { expect, it } from 'vitest'
import { type Hole, scheduleHoles } from './schedule-holes.ts'

const fleet = (layers: string, step = '{ schedule: primary }') => `
endpoints: { push: { type: log, config: {} } }
people: { ana: { endpoints: [push] } }
schedules:
  primary:
    timezone: Europe/Berlin
    layers: ${layers}
policies: { page: { steps: [{ notify: [${step}] }] } }`

/** Such as " 02:00→03:00". */
function wordsOf(change: Hole['clockChange']): string {
  if (change === null) return ''
  const [from, to] = [change.fromLocalMs, change.toLocalMs].map((at) =>
    new Date(at).toISOString().slice(11, 16),
  )
  return ` ${from}→${to}`
}

async function holesOf(text: string, at: string): Promise<string[]> {
  const { definition } = await loadFleetFiles(text)
  return scheduleHoles(definition, Date.parse(at)).map(
    ({ fromMs, untilMs, clockChange }) =>
      `${new Date(fromMs).toISOString()} ${(untilMs - fromMs) / 60_000} min${wordsOf(clockChange)}`,
  )
}

const weekdays =
  '{ people: [ana], start: "2026-01-01T00:00", hours: [{ days: [mon, tue, wed, thu, fri, sat], from: "00:00", to: "24:00" }] }'
const sunday =
  '{ people: [ana], start: "2026-01-01T00:00", hours: [{ days: [sun], from: "00:00", to: "01:00" }, { days: [sun], from: "04:00", to: "24:00" }] }'

it('names a hole at the change to summer time as long as it is', async () => {
  const holes = await holesOf(fleet(`[${weekdays}, ${sunday}]`), '2026-03-16T00:00:00Z')
  expect(holes.slice(0, 3)).toEqual([
    '2026-03-22T00:00:00.000Z 180 min',
    '2026-03-29T00:00:00.000Z 120 min 02:00→03:00',
    '2026-04-04T23:00:00.000Z 180 min',
  ])
  expect(holes).toHaveLength(8)
})

it('names the change of the clocks at either end of a hole, forward and back', async () => {
  const until = (time: string) =>
    `{ people: [ana], start: "2026-01-01T00:00", hours: [{ days: [sun], from: "00:00", to: "${time}" }] }`
  const from = (time: string) =>
    `{ people: [ana], start: "2026-01-01T00:00", hours: [{ days: [sun], from: "${time}", to: "24:00" }] }`
  const change = async (layers: string[], at: string, day: string) =>
    (await holesOf(fleet(`[${[weekdays, ...layers].join(', ')}]`), at)).filter((hole) => hole.startsWith(day))
  expect(await change([until('02:30')], '2026-03-28T12:00:00Z', '2026-03-29')).toEqual([
    '2026-03-29T01:00:00.000Z 1260 min 02:00→03:00',
  ])
  expect(await change([from('02:30')], '2026-03-28T00:00:00Z', '2026-03-28')).toEqual([
    '2026-03-28T23:00:00.000Z 120 min 02:00→03:00',
  ])
  expect(await change([until('02:00'), from('03:00')], '2026-10-24T12:00:00Z', '2026-10-25')).toEqual([
    '2026-10-25T00:00:00.000Z 120 min 03:00→02:00',
  ])
  expect(await change([until('03:00'), from('04:00')], '2026-10-24T12:00:00Z', '2026-10-25')).toEqual([
    '2026-10-25T02:00:00.000Z 60 min',
  ])
})

it('finds none in a time that the clocks skip', async () => {
  const split =
    '[{ people: [ana], start: "2026-01-01T00:00", hours: [{ days: [sun, mon, tue, wed, thu, fri, sat], from: "00:00", to: "02:00" }, { days: [sun, mon, tue, wed, thu, fri, sat], from: "03:00", to: "24:00" }] }]'
  const holes = await holesOf(fleet(split), '2026-03-28T12:00:00Z')
  expect(holes[0]).toBe('2026-03-30T00:00:00.000Z 60 min')
})

it('looks at schedules that a policy uses, and no further than eight weeks', async () => {
  const future = '[{ people: [ana], start: "2030-01-01T00:00" }]'
  expect(await holesOf(fleet(future), '2026-03-01T00:00:00Z')).toEqual(['2026-03-01T00:00:00.000Z 80640 min'])
  expect(await holesOf(fleet(future, '{ person: ana }'), '2026-03-01T00:00:00Z')).toEqual([])
  const { definition } = await loadFleetFiles(fleet(future))
  expect(scheduleHoles(definition, Date.parse('2026-03-01T00:00:00Z'))).toMatchObject([
    { why: { is: 'not_started', startLocalMs: Date.parse('2030-01-01T00:00:00Z') }, clockChange: null },
  ])
})
