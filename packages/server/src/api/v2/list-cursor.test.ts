import { FakeClock } from '@pulseward/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { V2Problem } from '../../requests/v2-problem.ts'
import { type CursorUse, ListCursors, type ListPlace } from './list-cursor.ts'

const minute = 60_000
const identity = { id: '019caa3c-6b52-7c1e-9d0a-5f2f3a1b7c44', key: Buffer.alloc(32, 7) }
const place: ListPlace = { epoch: '1', position: 48_120, after: 'checkout-api' }
const now = { epoch: '1', position: 48_300 }
const use: CursorUse = {
  principal: 'sha256:0a1b',
  operation: 'ListMonitors',
  limit: 100,
  selector: [{ key: 'team', is: 'in', values: ['payments'] }],
  monitorID: null,
  state: null,
}

function started(clock = new FakeClock(), process = 'first') {
  return { clock, cursors: new ListCursors(identity, clock, process) }
}

/** `200`, or the status and code of the refusal. */
function outcome(work: () => unknown): string {
  try {
    work()
    return '200'
  } catch (error) {
    if (!(error instanceof V2Problem)) throw error
    const { status, code } = error.documentFor('r')
    return `${status} ${code}`
  }
}

describe('a cursor', () => {
  it('gives its place back, as often as it is asked', () => {
    const { cursors, clock } = started()
    const text = cursors.write(place, use)
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/)
    for (let round = 0; round < 3; round++) {
      expect(cursors.read(text, use, now)).toEqual(place)
      clock.advance(minute)
    }
  })

  it('carries any id and any position', () => {
    const { cursors } = started()
    const ids = fc.string({ maxLength: 128 }).filter((id) => id.isWellFormed())
    fc.assert(
      fc.property(ids, fc.maxSafeNat(), (after, position) => {
        const of = { epoch: 'e.7', position, after }
        expect(cursors.read(cursors.write(of, use), use, { epoch: 'e.7', position })).toEqual(of)
      }),
    )
  })

  it('is the same for filters that are written differently and mean the same', () => {
    const { cursors } = started()
    const text = cursors.write(place, use)
    const again: CursorUse = { ...use, selector: [...use.selector, ...use.selector] }
    expect(cursors.read(text, again, now)).toEqual(place)
  })

  it.each<[string, Partial<CursorUse>]>([
    ['principal', { principal: 'sha256:0a1c' }],
    ['list', { operation: 'ListCredentials' }],
    ['limit', { limit: 101 }],
    ['selector', { selector: [] }],
    ['monitor', { monitorID: 'checkout-api' }],
    ['state', { state: 'staging' }],
    ['operation', { within: 'op-1' }],
  ])('of another %s is refused', (_, other) => {
    const { cursors } = started()
    const text = cursors.write(place, use)
    expect(outcome(() => cursors.read(text, { ...use, ...other }, now))).toBe('400 invalidCursor')
  })

  it('of another store is refused', () => {
    const other = new ListCursors(
      { ...identity, id: '019caa3c-6b52-7c1e-9d0a-000000000000' },
      new FakeClock(),
    )
    const text = other.write(place, use)
    expect(outcome(() => started().cursors.read(text, use, now))).toBe('400 invalidCursor')
    const forged = new ListCursors({ ...identity, key: Buffer.alloc(32, 8) }, new FakeClock())
    expect(outcome(() => started().cursors.read(forged.write(place, use), use, now))).toBe(
      '400 invalidCursor',
    )
  })

  it('that was changed in any way is refused', () => {
    const { cursors } = started()
    const text = cursors.write(place, use)
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'Aa0_-.= é'), (at, character) => {
        const other = text.slice(0, at) + character + text.slice(at + 1)
        if (other !== text) expect(outcome(() => cursors.read(other, use, now))).toBe('400 invalidCursor')
      }),
    )
    for (const other of ['', 'x', `${text}A`, text.slice(1), ` ${text}`, 'Mi41ZjJm'])
      expect(outcome(() => cursors.read(other, use, now))).toBe('400 invalidCursor')
  })

  it('is good for five minutes and not a millisecond longer', () => {
    const { cursors, clock } = started()
    const text = cursors.write(place, use)
    clock.advance(5 * minute)
    expect(outcome(() => cursors.read(text, use, now))).toBe('200')
    clock.advance(1)
    expect(outcome(() => cursors.read(text, use, now))).toBe('410 cursorExpired')
  })

  it('of a principal that may not use it stays refused when it is old', () => {
    const { cursors, clock } = started()
    const text = cursors.write(place, use)
    clock.advance(6 * minute)
    expect(outcome(() => cursors.read(text, { ...use, principal: 'x' }, now))).toBe('400 invalidCursor')
  })

  it('does not live longer because the clock was set back', () => {
    const { cursors, clock } = started()
    const text = cursors.write(place, use)
    clock.jumpWall(-60 * minute)
    clock.advance(4 * minute)
    expect(outcome(() => cursors.read(text, use, now))).toBe('200')
    clock.jumpWall(-60 * minute)
    clock.advance(2 * minute)
    expect(outcome(() => cursors.read(text, use, now))).toBe('410 cursorExpired')
  })

  it('does not live longer because the machine was suspended', () => {
    const { cursors, clock } = started()
    const text = cursors.write(place, use)
    clock.suspend(6 * minute)
    expect(outcome(() => cursors.read(text, use, now))).toBe('410 cursorExpired')
  })

  it('of the previous process is good for the rest of its time', () => {
    const first = started(new FakeClock({ monotonicMs: 9_000_000 }))
    const text = first.cursors.write(place, use)
    const { cursors, clock } = started(
      new FakeClock({ monotonicMs: 5, wallMs: first.clock.wallMs() + minute }),
      'second',
    )
    expect(cursors.read(text, use, now)).toEqual(place)
    clock.advance(4 * minute + 1)
    expect(outcome(() => cursors.read(text, use, now))).toBe('410 cursorExpired')
  })

  it('of the previous process is too old when it seems to come from the future', () => {
    const first = started()
    const text = first.cursors.write(place, use)
    const { cursors } = started(new FakeClock({ wallMs: first.clock.wallMs() - minute }), 'second')
    expect(outcome(() => cursors.read(text, use, now))).toBe('410 cursorExpired')
  })

  it('does not outlive a restore of the store', () => {
    const { cursors } = started()
    const text = cursors.write(place, use)
    expect(outcome(() => cursors.read(text, use, { epoch: '2', position: 48_300 }))).toBe('410 cursorExpired')
    expect(outcome(() => cursors.read(text, use, { epoch: '1', position: 48_119 }))).toBe('400 invalidCursor')
  })
})
