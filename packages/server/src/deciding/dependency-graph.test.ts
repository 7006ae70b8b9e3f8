import { definitionOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { arrange } from '../fleet/arrangement.ts'
import { statusNumber } from '../fleet/columns.ts'
import { Fleet } from '../fleet/fleet.ts'
import { DependencyGraph } from './dependency-graph.ts'
import type { Status } from './health/status.ts'

const now = 1_000_000
const intervalMs = 10_000
const clear = { kind: 'clear' }

/** Monitors by id with what they depend on; all of them up and checked just now. */
class GraphUnderTest {
  readonly fleet = new Fleet(['tcp'])
  readonly graph = new DependencyGraph(this.fleet)

  constructor(parents: Record<string, readonly string[]>) {
    this.load(parents)
  }

  load(parents: Record<string, readonly string[]>): void {
    const documents = Object.entries(parents).map(([id, depends_on]) => ({
      id,
      name: id,
      depends_on: [...depends_on],
      check: { type: 'tcp', interval: '10s', config: { host: id, port: 1 } },
    }))
    this.fleet.apply(arrange(definitionOf(documents), this.fleet.loaded ? this.fleet : null))
    this.graph.rebuild()
    for (const id of Object.keys(parents)) this.set(id, 'up')
  }

  set(id: string, status: Status, lastCheckAt: number = now): void {
    this.fleet.setStatus(this.#rowOf(id), statusNumber[status])
    this.fleet.columns.lastCheck[this.#rowOf(id)] = lastCheckAt
  }

  ancestorsOf(id: string, firstFailureAt = now): unknown {
    return this.graph.ancestorsOf(this.#rowOf(id), firstFailureAt, now)
  }

  #rowOf(id: string): number {
    for (let row = 0; row < this.fleet.rows; row++)
      if (this.fleet.has(row) && this.fleet.idOf(row) === id) return row
    throw new Error(`there is no monitor ${id}`)
  }
}

describe('DependencyGraph', () => {
  it('finds nothing in the way of a monitor without dependencies', () => {
    const tested = new GraphUnderTest({ edge: [], shop: [] })
    tested.set('edge', 'incident')
    expect(tested.ancestorsOf('shop')).toEqual(clear)
  })

  it.each<[Status, unknown]>([
    ['up', clear],
    ['degraded', clear],
    ['unknown', clear],
    ['disabled', clear],
    ['down', { kind: 'in-trouble', by: 'edge' }],
    ['incident', { kind: 'in-trouble', by: 'edge' }],
    ['verifying', { kind: 'in-trouble', by: 'edge' }],
  ])('judges a parent that is %s', (status, judgement) => {
    const tested = new GraphUnderTest({ edge: [], shop: ['edge'] })
    tested.set('edge', status)
    expect(tested.ancestorsOf('shop')).toEqual(judgement)
    expect(tested.ancestorsOf('edge')).toEqual(clear)
  })

  it('looks past parents that are well to what they depend on themselves', () => {
    const tested = new GraphUnderTest({ power: [], rack: ['power'], edge: ['rack'], shop: ['edge'] })
    tested.set('power', 'incident')
    expect(tested.ancestorsOf('shop')).toEqual({ kind: 'in-trouble', by: 'power' })
    expect(tested.ancestorsOf('rack')).toEqual({ kind: 'in-trouble', by: 'power' })
    expect(tested.ancestorsOf('power')).toEqual(clear)
  })

  it('names the nearest of several in trouble, and walks a diamond once', () => {
    const tested = new GraphUnderTest({
      power: [],
      left: ['power'],
      right: ['power'],
      shop: ['left', 'right'],
    })
    tested.set('power', 'incident')
    tested.set('right', 'down')
    expect(tested.ancestorsOf('shop')).toEqual({ kind: 'in-trouble', by: 'right' })
  })

  it('waits for a parent that was not checked since the failure, for one interval of it', () => {
    const tested = new GraphUnderTest({ edge: [], shop: ['edge'] })
    const failedAt = now - intervalMs + 1
    tested.set('edge', 'up', failedAt - 1)
    expect(tested.ancestorsOf('shop', failedAt)).toEqual({ kind: 'not-checked' })
    tested.set('edge', 'unknown', Number.NaN)
    expect(tested.ancestorsOf('shop', failedAt)).toEqual({ kind: 'not-checked' })
    expect(tested.ancestorsOf('shop', failedAt - 1)).toEqual(clear)
    tested.set('edge', 'up', failedAt)
    expect(tested.ancestorsOf('shop', failedAt)).toEqual(clear)
  })

  it('waits for parents alone, not for what they depend on', () => {
    const tested = new GraphUnderTest({ power: [], edge: ['power'], shop: ['edge'] })
    tested.set('power', 'up', now - 60_000)
    expect(tested.ancestorsOf('shop')).toEqual(clear)
  })

  it('follows the fleet, also when rows are free or taken anew', () => {
    const tested = new GraphUnderTest({ old: [], edge: [], shop: ['edge'] })
    tested.load({ edge: [], shop: [] })
    tested.set('edge', 'down')
    expect(tested.ancestorsOf('shop')).toEqual(clear)
    tested.load({ gate: [], edge: [], shop: ['gate'] })
    tested.set('edge', 'down')
    expect(tested.ancestorsOf('shop')).toEqual(clear)
    tested.set('gate', 'down')
    expect(tested.ancestorsOf('shop')).toEqual({ kind: 'in-trouble', by: 'gate' })
  })
})
