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

function fleetOf(monitors: number, interval: string, type = 'tcp') {
  const check = { type, interval, config: { host: 'a', port: 1 } }
  return definitionOf(Array.from({ length: monitors }, (_, index) => ({ id: `m${index}`, name: 'm', check })))
}

describe('the number of threads at the start', () => {
  it.each([
    [1, '30s', 1],
    [100, '1s', 1],
    [6_000, '1s', 1],
    [6_001, '1s', 2],
    [20_000, '1s', 3],
  ])('for %i monitors every %s is %i', (monitors, interval, threads) => {
    expect(threadsAtStart(fleetOf(monitors, interval), bounds)).toBe(threads)
  })

  it('is none where the engine may run a few checks itself', () => {
    const free = { least: 0, most: 3 }
    expect(threadsAtStart(fleetOf(0, '1s'), free)).toBe(0)
    expect(threadsAtStart(fleetOf(200, '1s'), free)).toBe(0)
    expect(threadsAtStart(fleetOf(201, '1s'), free)).toBe(1)
    expect(threadsAtStart(fleetOf(1_990, '10s'), free)).toBe(0)
  })

  it('is one where a check is built on a package of somebody else', () => {
    expect(threadsAtStart(fleetOf(1, '30s', 'ssh'), { least: 0, most: 3 })).toBe(1)
  })

  it('is what was configured, whatever the fleet', () => {
    expect(threadsAtStart(fleetOf(20_000, '1s'), { least: 2, most: 2 })).toBe(2)
    expect(threadsAtStart(fleetOf(1, '30s'), { least: 2, most: 2 })).toBe(2)
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
    expect(new Load().pass(600, 0.75)).toBe(1)
  })

  it('rises when a thread is busy, one at a time, up to the bound', () => {
    const load = new Load()
    expect(load.pass(14, 5)).toBe(1)
    expect(load.pass(2, 5)).toBe(2)
    expect(load.pass(60, 5)).toBe(3)
  })

  it('does not rise while the code of a thread is being compiled', () => {
    const load = new Load()
    load.pass(10, 1)
    expect(load.pass(60, 0.6)).toBe(1)
  })

  it('does not rise by a burst of a second', () => {
    const load = new Load()
    for (let burst = 0; burst < 20; burst++) {
      load.pass(1, 1)
      load.pass(9, 0.1)
    }
    expect(load.threads).toBe(1)
  })

  it('falls when the others could do the work with ease for a minute, and not before', () => {
    const load = new Load()
    load.pass(20, 1)
    expect(load.threads).toBe(2)
    expect(load.pass(50, 0.2)).toBe(2)
    expect(load.pass(20, 0.2)).toBe(1)
  })

  it('does not swing: what one thread could hardly do is left to two', () => {
    const load = new Load()
    load.pass(20, 0.9)
    expect(load.threads).toBe(2)
    expect(load.pass(3_600, 0.6)).toBe(2)
  })

  it('begins to count the minute anew after a busy moment', () => {
    const load = new Load()
    load.pass(20, 1)
    load.pass(50, 0.1)
    load.pass(5, 1)
    expect(load.pass(50, 0.1)).toBe(2)
  })
})
