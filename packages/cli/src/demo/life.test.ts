import { describe, expect, it } from 'vitest'
import {
  answerOf,
  type Condition,
  defaultWorld,
  isRackClosed,
  patienceOf,
  rackCount,
  slownessOf,
  type World,
} from './life.ts'

const world: World = { seed: 7, monitors: 20_000 }

function conditionsAt(of: World, elapsedMs: number): Condition[] {
  return Array.from({ length: of.monitors }, (_, monitor) => answerOf(of, monitor, elapsedMs).condition)
}

function shareInTrouble(of: World, elapsedMs: number): number {
  return conditionsAt(of, elapsedMs).filter((condition) => condition !== 'healthy').length / of.monitors
}

/** How long each stretch of one condition lasts, looking every five seconds for some hours. */
function stretchesOf(of: World, monitor: number): { condition: Condition; seconds: number }[] {
  const stretches: { condition: Condition; seconds: number }[] = []
  for (let second = 0; second < 6 * 3_600; second += 5) {
    const { condition } = answerOf(of, monitor, second * 1_000)
    if (stretches.at(-1)?.condition === condition) stretches.at(-1)!.seconds += 5
    else stretches.push({ condition, seconds: 5 })
  }
  return stretches
}

describe('the life of a target', () => {
  it('follows from seed, number and time alone', () => {
    const moments = [0, 61_000.5, 3_600_000]
    for (const moment of moments) expect(answerOf(world, 12, moment)).toEqual(answerOf(world, 12, moment))
    const other = { ...world, seed: 8 }
    expect(conditionsAt(other, 60_000)).not.toEqual(conditionsAt(world, 60_000))
  })

  it.each([0, 1_000, 90_000, 3_600_000, 40 * 3_600_000])(
    'leaves about one in a hundred in trouble of their own after %i ms',
    (elapsedMs) => {
      expect(shareInTrouble(world, elapsedMs)).toBeGreaterThan(0.008)
      expect(shareInTrouble(world, elapsedMs)).toBeLessThan(0.016)
    },
  )

  it('has outages of one to three minutes that begin, end and come in every kind', () => {
    const outages = Array.from({ length: 100 }, (_, monitor) => stretchesOf(world, monitor).slice(1, -1))
      .flat()
      .filter(({ condition }) => condition !== 'healthy')
    expect(new Set(outages.map(({ condition }) => condition))).toEqual(
      new Set(['failing', 'unavailable', 'silent', 'slow']),
    )
    for (const { seconds } of outages) {
      expect(seconds).toBeGreaterThanOrEqual(55)
      expect(seconds).toBeLessThanOrEqual(185)
    }
  })

  it.each([200, 1_000_000])(
    'answers late only when it is slow, and then in time, in a fleet of %i',
    (monitors) => {
      const large = { seed: 7, monitors }
      const { maxLatencyMs, timeoutMs } = patienceOf(large)
      for (let monitor = 0; monitor < 5_000; monitor++) {
        const { condition, delayMs } = answerOf(large, monitor, 42_000)
        if (condition !== 'slow') expect(delayMs).toBeLessThan(maxLatencyMs / 2)
        else {
          expect(delayMs).toBeGreaterThan(maxLatencyMs)
          expect(delayMs).toBeLessThan(timeoutMs)
        }
      }
    },
  )

  it('goes slower in a fleet that two cores could not check at full pace', () => {
    expect(slownessOf({ seed: 1, monitors: 20_000 })).toBe(1)
    expect(slownessOf({ seed: 1, monitors: 20_001 })).toBe(2)
    expect(slownessOf({ seed: 1, monitors: 300_000 })).toBe(15)
    const slower = { seed: 7, monitors: 40_000 }
    expect(answerOf(slower, 3, 2 * 700_000).condition).toBe(answerOf(world, 3, 700_000).condition)
  })

  it('closes every rack now and then, and not for most of the time', () => {
    for (let rack = 0; rack < rackCount; rack++) {
      const moments = Array.from({ length: 24 * 60 }, (_, minute) =>
        isRackClosed(world, rack, minute * 60_000),
      )
      const share = moments.filter(Boolean).length / moments.length
      expect(share).toBeGreaterThan(0.01)
      expect(share).toBeLessThan(0.15)
    }
  })

  it('shows every kind of trouble in the first three minutes of the usual demo', () => {
    const seen = new Set<Condition>()
    let rackWasClosed = false
    for (let elapsedMs = 0; elapsedMs < 180_000; elapsedMs += 5_000) {
      for (const condition of conditionsAt(defaultWorld, elapsedMs)) seen.add(condition)
      for (let rack = 0; rack < rackCount; rack++)
        rackWasClosed ||= isRackClosed(defaultWorld, rack, elapsedMs)
    }
    expect(seen).toEqual(new Set(['healthy', 'failing', 'unavailable', 'silent', 'slow']))
    expect(rackWasClosed).toBe(true)
  })
})
