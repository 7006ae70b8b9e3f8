import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChecksInFlight, stages } from './checks-in-flight.ts'

describe('checks in flight', () => {
  it('are those that a map would hold, each with what it was started with', () => {
    const rows = 50
    const turn = fc.tuple(fc.boolean(), fc.nat(rows - 1), fc.nat(255))
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 300 }), (turns) => {
        const checks = new ChecksInFlight()
        checks.growFor(rows)
        const known = new Map<number, { scheduledMs: number; type: number }>()
        for (const [scheduledMs, [begins, row, type]] of turns.entries()) {
          if (!begins) {
            expect(checks.end(row) === -1).toBe(!known.delete(row))
          } else if (!known.has(row)) {
            checks.begin(row, scheduledMs, type)
            known.set(row, { scheduledMs, type })
          }
          for (let each = 0; each < rows; each++) {
            const place = checks.placeOf(each)
            const { scheduledMs, type } = known.get(each) ?? {}
            expect(checks.scheduledMs[place]).toBe(scheduledMs)
            expect(checks.type[place]).toBe(type)
          }
        }
      }),
    )
  })

  it('may be all of a fleet, and keep what they have while they become more', () => {
    const checks = new ChecksInFlight()
    const rows = 5_000
    checks.growFor(rows)
    for (let row = 0; row < rows; row++) {
      const place = checks.begin(row, row / 2, row % 7)
      checks.startedMs[place] = row
      checks.timeoutMs[place] = row + 1
      checks.generation[place] = row + 2
      checks.source[place] = row % 3
      checks.stage[place] = row % 4
    }
    for (let row = 0; row < rows; row++) {
      const place = checks.end(row)
      expect([checks.scheduledMs[place], checks.type[place], checks.startedMs[place]]).toEqual([
        row / 2,
        row % 7,
        row,
      ])
      expect([checks.timeoutMs[place], checks.generation[place]]).toEqual([row + 1, row + 2])
      expect([checks.source[place], checks.stage[place]]).toEqual([row % 3, row % 4])
    }
  })

  it('are queued until it is said otherwise, also where one that was started was before', () => {
    const checks = new ChecksInFlight()
    checks.growFor(2)
    checks.stage[checks.begin(0, 0, 0)] = stages.started
    checks.end(0)
    expect(checks.stage[checks.begin(1, 0, 0)]).toBe(stages.queued)
  })
})
