import { describe, expect, it } from 'vitest'
import { columns, directionOf, nextOrder, orderOf, orderWords } from './columns.ts'

describe('the order of the list', () => {
  it('begins at the end that people look for, and then changes ends', () => {
    const latency = columns.find(({ key }) => key === 'latency')!
    expect(nextOrder(latency, 'status')).toBe('-latency_ms')
    expect(nextOrder(latency, '-latency_ms')).toBe('latency_ms')
    expect(nextOrder(latency, 'latency_ms')).toBe('-latency_ms')
    expect(directionOf(latency, 'latency_ms')).toBe('ascending')
    expect(directionOf(latency, '-latency_ms')).toBe('descending')
    expect(directionOf(latency, 'name')).toBeUndefined()
  })

  it('is what is wrong first, unless a link has one that there is', () => {
    expect(orderOf(null)).toBe('status')
    expect(orderOf('-name')).toBe('-name')
    for (const text of ['', '-', '--name', 'target', 'constructor', '-status '])
      expect(orderOf(text)).toBe('status')
  })

  it('has words for every column', () => {
    const worded = orderWords.map(([order]) => order.replace('-', ''))
    expect(worded.toSorted()).toEqual(columns.map(({ sort }) => sort).toSorted())
  })
})
