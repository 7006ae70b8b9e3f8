import type { Status } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import type { MonitorRow } from '../../data/monitors.ts'
import { tileGroups } from './tile-groups.ts'

const row = (name: string, status: Status, ...tags: string[]) =>
  ({ name, status, tags }) as unknown as MonitorRow

describe('the groups of tiles', () => {
  it('have the worst first, then the others by name, and those without a tag last', () => {
    const groups = tileGroups([
      row('a', 'incident', 'shop'),
      row('b', 'down', 'edge'),
      row('c', 'incident', 'edge', 'shop'),
      row('d', 'up'),
      row('e', 'up', 'Zebra'),
      row('f', 'unknown', 'api'),
      row('g', 'up', 'edge'),
    ])
    expect(groups.map(({ tag, troubled }) => [tag, troubled])).toEqual([
      ['shop', 1],
      ['edge', 2],
      ['api', 0],
      ['Zebra', 0],
      [null, 0],
    ])
    expect(groups[1]?.monitors.map(({ name }) => name)).toEqual(['b', 'c', 'g'])
  })
})
