// What people wrote, as it is shown over time.
import { describe, expect, it } from 'vitest'
import { type Written, writtenNow, writtenStates } from './written-incident.ts'

const at = (minutes: number) => new Date(minutes * 60_000).toISOString()
const ms = (minutes: number) => minutes * 60_000
const components = new Set(['checkout', 'search'])
const written = (id: string, spec: Omit<Written['spec'], 'pageRef' | 'title'>): Written => ({
  id,
  spec: { pageRef: 'shop', title: id, ...spec },
  createdAt: ms(5),
  updatedAt: ms(15),
})
const incident = written('one', {
  components: [
    { id: 'checkout', state: 'major_outage' },
    { id: 'gone', state: 'major_outage' },
  ],
  updates: [
    { at: at(10), phase: 'investigating', text: 'a' },
    { at: at(20), phase: 'resolved', text: 'b' },
  ],
  postmortem: 'c',
})

describe('an incident', () => {
  it('is shown from its first update on, and over with the one that resolves it', () => {
    expect(writtenNow([incident], components, ms(9))).toEqual({
      incidents: [],
      maintenance: [],
      untilMs: ms(10),
    })
    const during = writtenNow([incident], components, ms(10))
    expect(during.untilMs).toBe(ms(20))
    expect(during.incidents).toMatchObject([
      {
        phase: 'investigating',
        resolvedAtMs: null,
        postmortem: null,
        states: [['checkout', 'major_outage']],
      },
    ])
    expect([...writtenStates(during, ms(10))]).toEqual([['checkout', 'major_outage']])
    const after = writtenNow([incident], components, ms(20))
    expect(after.incidents).toMatchObject([
      { phase: 'resolved', startedAtMs: ms(10), resolvedAtMs: ms(20), changedAtMs: ms(20), postmortem: 'c' },
    ])
    expect(after.untilMs).toBe(Number.POSITIVE_INFINITY)
    expect([...writtenStates(after, ms(20))]).toEqual([])
  })

  it('gives a component the worst that is said of it', () => {
    const [updates] = [[{ at: at(1), phase: 'identified' as const, text: 'a' }]]
    const saying = (id: string, state: 'operational' | 'partial_outage') =>
      written(id, { components: [{ id: 'search', state }], updates })
    const now = writtenNow([saying('a', 'partial_outage'), saying('b', 'operational')], components, ms(30))
    expect([...writtenStates(now, ms(30))]).toEqual([['search', 'partial_outage']])
  })
})

describe('maintenance', () => {
  const planned = written('db', {
    components: [{ id: 'checkout' }],
    updates: [{ at: at(35), text: 'half' }],
    maintenance: { from: at(30), until: at(40) },
  })

  it('puts its components under maintenance while it lasts, unless an incident says otherwise', () => {
    const times = [29, 30, 35, 40].map((minute) => {
      const now = writtenNow([planned], components, ms(minute))
      const { untilMs, maintenance } = now
      return [
        untilMs / 60_000,
        maintenance[0]!.written!.updates.length,
        writtenStates(now, ms(minute)).get('checkout'),
      ]
    })
    expect(times).toEqual([
      [30, 0, undefined],
      [35, 0, 'under_maintenance'],
      [40, 1, 'under_maintenance'],
      [Number.POSITIVE_INFINITY, 1, undefined],
    ])
    const open = { ...incident, spec: { ...incident.spec, updates: incident.spec.updates.slice(0, 1) } }
    const both = writtenNow([planned, open], components, ms(35))
    expect(writtenStates(both, ms(35)).get('checkout')).toBe('major_outage')
  })
})
