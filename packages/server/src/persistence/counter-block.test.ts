import { definitionOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { arrange } from '../fleet/arrangement.ts'
import { Fleet } from '../fleet/fleet.ts'
import { decodeBlock, encodeBlock } from './counter-block.ts'

describe('a block of counters', () => {
  it('that holds a latency no check can have is read without it', () => {
    const fleet = new Fleet(['tcp'])
    const check = { type: 'tcp', interval: '10s', config: { host: 'a', port: 1 } }
    fleet.apply(arrange(definitionOf([{ id: 'm', name: 'm', check }]), null))
    const { columns } = fleet
    columns.lastCheck[0] = 1_000
    columns.latencyMs[0] = Number.POSITIVE_INFINITY
    const bytes = encodeBlock(0, (number) => (number === 0 ? 0 : -1), columns)
    decodeBlock(0, bytes, (number) => (number === 0 ? 0 : -1), columns)
    expect(columns.latencyMs[0]).toBe(86_400_000)
  })
})
