import { OwnTimers } from '@pulseward/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConnectGate, type GateVisitor, OUTSIDE } from './connect-gate.ts'

function visitors(names: string, began: string[]): Record<string, GateVisitor> {
  return Object.fromEntries(
    [...names].map((name) => [name, { place: OUTSIDE, begin: () => void began.push(name) }]),
  )
}

describe('the connect gate', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('admits visitors in the order they came', () => {
    const began: string[] = []
    const { a, b, c, d } = visitors('abcd', began)
    const gate = new ConnectGate(2)
    for (const visitor of [a, b, c, d]) gate.enter(visitor!)
    expect(began).toEqual(['a', 'b'])
    gate.leave(b!)
    expect(began).toEqual(['a', 'b', 'c'])
    gate.leave(a!)
    expect(began).toEqual(['a', 'b', 'c', 'd'])
  })

  it('lets a visitor leave the queue', () => {
    const began: string[] = []
    const { a, b, c } = visitors('abc', began)
    const gate = new ConnectGate(1)
    for (const visitor of [a, b, c]) gate.enter(visitor!)
    gate.leave(b!)
    expect(began).toEqual(['a'])
    gate.leave(a!)
    expect(began).toEqual(['a', 'c'])
    expect(gate.waiting).toBe(0)
  })

  it('lets others past a visitor whose peer is silent', () => {
    const began: string[] = []
    const { a, b, c } = visitors('abc', began)
    const gate = new ConnectGate(1)
    for (const visitor of [a, b, c]) gate.enter(visitor!)
    vi.advanceTimersByTime(50)
    expect(began).toEqual(['a'])
    vi.advanceTimersByTime(100)
    expect(began).toEqual(['a', 'b'])
    gate.leave(a!)
    expect(began).toEqual(['a', 'b'])
    gate.leave(b!)
    expect(began).toEqual(['a', 'b', 'c'])
  })

  it('keeps no timer once nobody waits', () => {
    using timers = new OwnTimers('network/connect-gate.ts')
    const { a, b } = visitors('ab', [])
    const gate = new ConnectGate(1)
    gate.enter(a!)
    expect(timers.count).toBe(0)
    gate.enter(b!)
    expect(timers.count).toBe(1)
    gate.leave(b!)
    expect(timers.count).toBe(0)
  })
})
