// A shorter day of fewer cron jobs than `npm run tool -- cron-day` lives through, over each change of the clocks; and every
// way to get it wrong is noticed.
import { LocalTime } from '@pulseward/server/internal/platform/local-time.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type CronDay, simulateCronDay } from './cron-day.ts'
import { ZoneTable } from './cron-table.ts'
import { cronDays } from './cron-world.ts'
import { pushDefects } from './push-defects.ts'

const short = { seed: 3, jobs: 16, hours: 8 } as const

describe.each(Object.entries(cronDays))('in %s', (day, { fromMs, zones }) => {
  it.each(zones)('the clocks of %s are changed', (zone) => {
    expect(new ZoneTable(zone, fromMs, fromMs + short.hours * 3_600_000).hasChange).toBe(true)
  })

  const tags = day === 'autumn' ? [] : ['long']
  it('every missed run is told once, nothing else is, and what nobody could report is not known', {
    tags,
  }, async () => {
    const { violations, ...end } = await simulateCronDay({ ...short, day: day as CronDay['day'] })
    expect(violations).toEqual([])
    expect(Math.min(end.told, end.unknown, end.restarts)).toBeGreaterThan(0)
  })
})

describe('it is noticed', () => {
  async function found(options: Partial<CronDay>): Promise<readonly string[]> {
    return (await simulateCronDay({ ...short, day: 'autumn', ...options })).violations
  }

  it.each(['down-counts-as-silence', 'silence-unnoticed', 'signal-not-stored'] as const)(
    'when %s',
    { tags: 'long' },
    async (name) => {
      const { plant } = pushDefects[name]!
      expect(await found({ look: plant })).not.toEqual([])
    },
  )

  it('when the time zone of a job is not heeded', async () => {
    expect(await found({ jobs: 8, timezoneOf: () => 'UTC' })).not.toEqual([])
  })

  it('when a time that the clocks show twice is expected twice', { tags: 'long' }, async () => {
    let askedMs = 0
    const latest = vi.spyOn(LocalTime.prototype, 'latestShownMs').mockImplementation(function (
      this: LocalTime,
      atMs,
    ) {
      askedMs = atMs
      return this.localMs(atMs)
    })
    const instant = vi.spyOn(LocalTime.prototype, 'instantMs').mockImplementation(function (
      this: LocalTime,
      local,
    ) {
      const offsets = [this.offsetMs(askedMs), this.offsetMs(local + 26 * 3_600_000)]
      return Math.min(...offsets.map((offset) => local - offset).filter((one) => one > askedMs))
    })
    onTestFinished(() => {
      latest.mockRestore()
      instant.mockRestore()
    })
    expect(await found({ jobs: 40 })).not.toEqual([])
  })

  it('when a time that the clocks skip is expected only an hour later', { tags: 'long' }, async () => {
    const instant = vi.spyOn(LocalTime.prototype, 'instantMs').mockImplementation(function (
      this: LocalTime,
      local,
    ) {
      return local - this.offsetMs(local - 26 * 3_600_000)
    })
    onTestFinished(() => instant.mockRestore())
    expect(await found({ day: 'spring', jobs: 40 })).not.toEqual([])
  })
})
