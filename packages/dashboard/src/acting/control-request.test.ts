import { describe, expect, it } from 'vitest'
import { mistakeIn, nothingSaid, requestOf, type Said } from './control-request.ts'
import type { Verb } from './verbs.ts'

const said = (part: Partial<Said>): Said => ({ ...nothingSaid, ...part })
const mistakeOf = (verb: Verb, part: Partial<Said> = {}) => mistakeIn({ verb }, said(part), 0)?.field ?? null
const none = { incident: null, action: null }

describe('what is missing before a control is sent', () => {
  it.each(['dismiss', 'snooze', 'recover', 'review'] as const)('%s needs a reason', (verb) => {
    const rest = { isConfirmed: true, resolution: 'accepted' } as const
    expect(mistakeOf(verb, { ...rest, reason: ' ' })).toBe('reason')
    expect(mistakeOf(verb, { ...rest, reason: 'why' })).toBeNull()
  })

  it.each(['acknowledge', 'reopen', 'unsnooze', 'enable', 'disable'] as const)('%s needs nothing', (verb) => {
    expect(mistakeOf(verb)).toBeNull()
  })

  it('a recovery is confirmed, a review has a result, a length is one that the service takes', () => {
    expect(mistakeOf('recover', { reason: 'why' })).toBe('isConfirmed')
    expect(mistakeOf('review', { reason: 'why' })).toBe('resolution')
    expect(mistakeOf('snooze', { reason: 'why', length: { choice: 'custom', amount: 'x', unit: 'h' } })).toBe(
      'length',
    )
  })

  it('counts bytes, not characters', () => {
    expect(mistakeOf('acknowledge', { reason: 'a'.repeat(4096) })).toBeNull()
    expect(mistakeOf('acknowledge', { reason: '😀'.repeat(1025) })).toBe('reason')
    const review = { reason: 'why', resolution: 'accepted' } as const
    expect(mistakeOf('review', { ...review, evidence: 'x\n'.repeat(65) })).toBe('evidence')
    expect(mistakeOf('review', { ...review, evidence: '😀'.repeat(1025) })).toBe('evidence')
  })
})

describe('a control', () => {
  it('goes out on the revision that was read, with an id of any characters as one step of the path', () => {
    const asked = { verb: 'snooze', monitorId: 'name:a/b?c' } as const
    expect(requestOf(asked, none, 'r7', said({ reason: ' deploy ' }), 0)).toEqual({
      method: 'POST',
      path: '/api/v2/monitors/name%3Aa%2Fb%3Fc/snooze',
      body: { revision: 'r7', reason: 'deploy', duration: '3600s' },
      ifMatch: 'r7',
    })
  })

  it('that switches a monitor is a merge patch of one field', () => {
    const asked = { verb: 'disable', monitorId: 'till' } as const
    expect(requestOf(asked, none, '12', nothingSaid, 0)).toEqual({
      method: 'PATCH',
      path: '/api/v2/monitors/till',
      body: { spec: { enabled: false } },
      mediaType: 'application/merge-patch+json',
      ifMatch: '12',
    })
  })

  it('that reviews names its evidence line by line, and leaves empty lines out', () => {
    const asked = { verb: 'review', monitorId: 'till', actionId: 'a1' } as const
    const action = { id: 'a1', state: 'unknown' } as const
    const words = said({ reason: 'log', resolution: 'rejected', evidence: ' https://x/1 \n\nT-2\n' })
    expect(requestOf(asked, { incident: null, action }, '1', words, 0).body).toEqual({
      revision: '1',
      reason: 'log',
      resolution: 'rejected',
      evidenceRefs: ['https://x/1', 'T-2'],
    })
  })
})
