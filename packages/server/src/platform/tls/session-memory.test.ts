import { FakeClock } from '@pulseward/testing'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { Handshakes } from './handshakes.ts'
import { type KnownSession, SessionMemory, type SessionOwner } from './session-memory.ts'

const server = 'shop.test:443'
const always = 86_400_000

let clock: FakeClock
beforeEach(() => {
  clock = new FakeClock()
})

function known(bytes = 1_000, atMs = clock.monotonicMs()): KnownSession {
  return {
    session: Buffer.alloc(bytes, 7),
    fullAtMs: atMs,
    certificateExpiresAt: clock.wallMs() + 90 * 86_400_000,
  }
}

function owner(row: number, intervalMs = 10_000): SessionOwner {
  return { row, version: 1, intervalMs }
}

/** What one session of the usual size takes. */
function bytesOfOne(): number {
  const memory = new SessionMemory(clock)
  memory.keep(owner(0), server, known(), always)
  return memory.bytes
}

describe('the bytes of all sessions', () => {
  const step = fc.record({
    row: fc.nat(30),
    intervalMs: fc.constantFrom(1_000, 5_000, 60_000),
    bytes: fc.nat(20_000),
    kind: fc.constantFrom('keep', 'keep', 'keep', 'forget', 'wait'),
  })

  it('never exceed the bound, and are none when all are forgotten', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), fc.array(step, { maxLength: 80 }), (most, steps) => {
        const memory = new SessionMemory(clock, most)
        for (const { row, intervalMs, bytes, kind } of steps) {
          if (kind === 'wait') clock.advance(bytes)
          else if (kind === 'forget') memory.forget(row)
          else memory.keep(owner(row, intervalMs), `${server} ${bytes % 3}`, known(bytes), 10_000)
          expect(memory.bytes).toBeLessThanOrEqual(most)
        }
        for (let row = 0; row <= 30; row++) memory.forget(row)
        expect(memory.bytes).toBe(0)
      }),
    )
  })

  it('count the session itself, and more', () => {
    const memory = new SessionMemory(clock)
    memory.keep(owner(1), server, known(5_000), always)
    expect(memory.bytes).toBeGreaterThan(5_000)
    // The same monitor and server: the new session takes the place of the old one.
    memory.keep(owner(1), server, known(1_000), always)
    expect(memory.bytes).toBe(bytesOfOne())
    memory.clear()
    expect(memory.bytes).toBe(0)
  })

  it('are not those of the buffer that it was a part of', () => {
    const whole = Buffer.alloc(1_000_000)
    const memory = new SessionMemory(clock)
    memory.keep(owner(1), server, { ...known(), session: whole.subarray(10, 900) }, always)
    expect(memory.find(owner(1), server)?.session.buffer.byteLength).toBe(890)
  })
})

describe('a memory that is too small', () => {
  it('keeps the sessions of the shortest intervals', () => {
    const intervals = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), intervals, (places, wanted) => {
        const memory = new SessionMemory(clock, places * bytesOfOne())
        for (const [row, interval] of wanted.entries())
          memory.keep(owner(row, interval * 1_000), server, known(), always)
        const kept = wanted.filter((_, row) => memory.find(owner(row), server) !== null)
        const shortest = wanted.toSorted((one, other) => one - other).slice(0, places)
        expect(kept.toSorted((one, other) => one - other)).toEqual(shortest)
      }),
    )
  })

  it('hits in a cyclic schedule as many times as it has places', () => {
    const memory = new SessionMemory(clock, 10 * bytesOfOne())
    const hits: number[] = []
    for (let cycle = 0; cycle < 5; cycle++) {
      let hit = 0
      for (let row = 0; row < 25; row++) {
        if (memory.find(owner(row), server) !== null) hit++
        memory.keep(owner(row), server, known(), always)
      }
      hits.push(hit)
    }
    expect(hits).toEqual([0, 10, 10, 10, 10])
  })

  it('gives the place of an expired session to another, whatever its interval', () => {
    const memory = new SessionMemory(clock, 2 * bytesOfOne())
    memory.keep(owner(1, 1_000), server, known(), 5_000)
    memory.keep(owner(2, 1_000), server, known(), 60_000)
    memory.keep(owner(3, 9_000), server, known(), 60_000)
    expect(memory.find(owner(3, 9_000), server)).toBeNull()
    clock.advance(5_000)
    memory.keep(owner(3, 9_000), server, known(), 60_000)
    expect(memory.find(owner(3, 9_000), server)).not.toBeNull()
    expect(memory.find(owner(2, 1_000), server)).not.toBeNull()
  })
})

describe('a session', () => {
  it('is found by its monitor, its version and its server alone', () => {
    const memory = new SessionMemory(clock)
    memory.keep(owner(1), server, known(), always)
    expect(memory.find(owner(1), server)).toMatchObject({ session: known().session })
    expect(memory.find(owner(2), server)).toBeNull()
    expect(memory.find({ ...owner(1), version: 2 }, server)).toBeNull()
    expect(memory.find(owner(1), 'shop.test:444')).toBeNull()
  })

  it('is not kept beyond the time to the next full handshake, which resuming it does not move', () => {
    const memory = new SessionMemory(clock)
    memory.keep(owner(1), server, known(), 3_000)
    clock.advance(2_000)
    const { fullAtMs } = memory.find(owner(1), server)!
    memory.keep(owner(1), server, known(1_000, fullAtMs), 3_000)
    clock.advance(999)
    expect(memory.find(owner(1), server)).not.toBeNull()
    clock.advance(1)
    expect(memory.find(owner(1), server)).toBeNull()
  })

  it('of 64 KB is not kept, and takes the place of none', () => {
    const memory = new SessionMemory(clock, 10 * bytesOfOne())
    memory.keep(owner(1), server, known(), always)
    memory.keep(owner(2), server, known(64 * 1_024), always)
    expect(memory.find(owner(2), server)).toBeNull()
    expect(memory.find(owner(1), server)).not.toBeNull()
    // Nor does it leave the older one of the same monitor, which the server may have replaced.
    memory.keep(owner(1), server, known(64 * 1_024), always)
    expect(memory.bytes).toBe(0)
  })

  it('that arrives after the end of its check is not kept', () => {
    const memory = new SessionMemory(clock)
    const handshakes = new Handshakes(memory, owner(1))
    handshakes.succeeded()
    handshakes.keep(server, known(), always)
    expect(memory.bytes).toBe(0)
    const failed = new Handshakes(memory, owner(1))
    failed.keep(server, known(), always)
    expect(failed.failed()).toBe(false)
    expect(memory.bytes).toBe(0)
  })
})

describe('servers that are offered everything', () => {
  it('are remembered for an hour, and no more than a thousand', () => {
    const memory = new SessionMemory(clock)
    memory.noteDemanding(server)
    expect(memory.isDemanding(server)).toBe(true)
    for (let port = 0; port < 1_023; port++) memory.noteDemanding(`other.test:${port}`)
    expect(memory.isDemanding(server)).toBe(true)
    memory.noteDemanding('another.test:443')
    expect(memory.isDemanding(server)).toBe(false)
    clock.advance(3_600_000)
    expect(memory.isDemanding('another.test:443')).toBe(false)
  })
})
