import { describe, expect, it } from 'vitest'
import { type Ancestor, assessAncestors, clear, isInTrouble } from './ancestors.ts'
import { statuses } from './status.ts'

const firstFailureAt = 100_000
const parent = (part: Partial<Ancestor> = {}): Ancestor => ({
  monitorId: 'edge-gateway',
  status: 'up',
  isParent: true,
  lastCheckAt: firstFailureAt,
  intervalMs: 30_000,
  ...part,
})
const stale = { lastCheckAt: firstFailureAt - 1 }

describe('ancestors', () => {
  it('are in trouble when in incident, verifying or down', () => {
    expect(statuses.filter(isInTrouble)).toEqual(['verifying', 'incident', 'down'])
  })

  it('suppress when any of them is in trouble, also past a parent that is awaited', () => {
    const far = parent({ monitorId: 'site', isParent: false, status: 'incident' })
    expect(assessAncestors([parent(stale), far], firstFailureAt, firstFailureAt)).toEqual({
      kind: 'in-trouble',
      by: 'site',
    })
  })

  it('are clear when there are none or all were checked since the first failure', () => {
    expect(assessAncestors([], firstFailureAt, firstFailureAt)).toBe(clear)
    expect(assessAncestors([parent()], firstFailureAt, firstFailureAt)).toBe(clear)
  })

  it.each([
    ['a parent not checked since', stale, 0, 'not-checked'],
    ['a parent never checked', { lastCheckAt: null }, 0, 'not-checked'],
    ['a parent not checked since, to the last millisecond', stale, 29_999, 'not-checked'],
    ['a parent not checked within one of its intervals', stale, 30_000, 'clear'],
    ['a disabled parent', { ...stale, status: 'disabled' }, 0, 'clear'],
    ['an ancestor further up', { ...stale, isParent: false }, 0, 'clear'],
  ] as const)('judge %s', (_, part, afterMs, kind) => {
    expect(assessAncestors([parent(part)], firstFailureAt, firstFailureAt + afterMs).kind).toBe(kind)
  })
})
