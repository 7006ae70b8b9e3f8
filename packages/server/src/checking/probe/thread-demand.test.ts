import { definitionOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { expectedChecksPerSecond, ThreadDemand, threadsAtStart } from './thread-demand.ts'

const bounds = { least: 1, most: 3 }

/** Looks four times per second, with a load that depends on the number of threads; how many there are after so long. */
class Load {
  readonly #demand = new ThreadDemand(bounds, 0)
  #nowMs = 0
  threads = 1

  /** work: how many threads it would keep busy all the time. */
  pass(seconds: number, work: number): number {
    for (let look = 0; look < seconds * 4; look++) {
      this.#nowMs += 250
      this.threads = this.#demand.look(this.threads, Math.min(1, work / this.threads), this.#nowMs)
    }
    return this.threads
  }
}

describe('the number of threads at the start', () => {
  it.each([
    [0, 1],
    [167, 1],
    [5_000, 1],
    [6_001, 2],
    [16_667, 3],
    [100_000, 3],
  ])('for %i checks per second is %i', (rate, threads) => {
    expect(threadsAtStart(rate, bounds)).toBe(threads)
  })

  it('is what was configured, whatever the fleet', () => {
    expect(threadsAtStart(100_000, { least: 2, most: 2 })).toBe(2)
    expect(threadsAtStart(0, { least: 2, most: 2 })).toBe(2)
  })

  it('follows the intervals of the monitors that are enabled', () => {
    const monitor = (id: string, interval: string, enabled: boolean) => ({
      id,
      name: id,
      enabled,
      check: { type: 'tcp', interval, config: { host: 'a', port: 1 } },
    })
    const definition = definitionOf([
      monitor('a', '2s', true),
      monitor('b', '10s', true),
      monitor('c', '1s', false),
    ])
    expect(expectedChecksPerSecond(definition)).toBeCloseTo(0.6)
  })
})

describe('the number of threads under a load', () => {
  it('stays while a thread has time to spare', () => {
    expect(new Load().pass(600, 0.55)).toBe(1)
  })

  it('rises within seconds when a thread is busy, one at a time, up to the bound', () => {
    const load = new Load()
    expect(load.pass(4, 5)).toBe(1)
    expect(load.pass(4, 5)).toBe(2)
    expect(load.pass(60, 5)).toBe(3)
  })

  it('does not rise by a burst of a second', () => {
    const load = new Load()
    for (let burst = 0; burst < 20; burst++) {
      load.pass(1, 1)
      load.pass(9, 0.1)
    }
    expect(load.threads).toBe(1)
  })

  it('falls when the others could do the work with ease for minutes, and not before', () => {
    const load = new Load()
    load.pass(20, 1)
    expect(load.threads).toBe(2)
    expect(load.pass(170, 0.2)).toBe(2)
    expect(load.pass(60, 0.2)).toBe(1)
  })

  it('does not swing: what one thread could hardly do is left to two', () => {
    const load = new Load()
    load.pass(20, 0.8)
    expect(load.threads).toBe(2)
    expect(load.pass(3_600, 0.4)).toBe(2)
  })

  it('begins to count the minutes anew after a busy moment', () => {
    const load = new Load()
    load.pass(20, 1)
    load.pass(150, 0.1)
    load.pass(5, 1)
    expect(load.pass(150, 0.1)).toBe(2)
  })
})
