// Whatever happens, and in whatever order, escalations keep the laws of the world in escalation-world.fixture.ts; and each
// of these laws notices the defect that breaks it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Defect, type Event, monitors, World } from './escalation-world.fixture.ts'

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      is: fc.constantFrom(
        'fails',
        'fails',
        'recovers',
        'acknowledged',
        'snoozed',
        'unsnoozed',
        'dismissed',
        'reopened',
      ),
      monitor: fc.constantFrom(...monitors),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constant('answers' as const),
      outcome: fc.constantFrom('delivered', 'delivered', 'failed', 'unknown'),
      which: fc.nat(20),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constant('passes' as const),
      seconds: fc.constantFrom(1, 20, 31, 61, 300, 1200, 7200),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ is: 'restarts' as const }) },
) as fc.Arbitrary<Event>

const events = fc.array(event, { minLength: 10, maxLength: 80 })

function brokenBy(happened: readonly Event[], defect: Defect = {}): string[] {
  const world = new World(defect)
  for (const one of happened) world.apply(one)
  return world.broken
}

describe('escalations', () => {
  it('keep their laws', () => {
    fc.assert(
      fc.property(events, (happened) => {
        expect(brokenBy(happened)).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })
})

const stepOf = (key: string) => key.startsWith('page ')

/** What goes wrong, and the laws that may notice it. */
const defects: Readonly<Record<string, { readonly defect: Defect; readonly laws: readonly string[] }>> = {
  'an acknowledgement that does not stop the policy': {
    defect: {
      health: (health) => {
        const incident = health.episode?.incident ?? null
        if (health.episode === null || incident === null) return health
        return { ...health, episode: { ...health.episode, incident: { ...incident, handling: null } } }
      },
    },
    laws: ['a step was sent although nobody needs it', 'a page has an incident that is over'],
  },
  'a snooze that does not pause it': {
    defect: { health: (health) => ({ ...health, snooze: null }) },
    laws: ['a step was sent although nobody needs it'],
  },
  'a dismissal that does not end it': {
    defect: {
      health: (health) => {
        const incident = health.episode?.incident ?? null
        if (health.episode === null || incident?.handling == null) return health
        const handling = { ...incident.handling, isDismissed: false }
        return { ...health, episode: { ...health.episode, incident: { ...incident, handling } } }
      },
    },
    laws: ['a page has an incident that is over', 'a step was sent although nobody needs it'],
  },
  'an incident that never gets to its policy': {
    defect: { health: (health) => ({ ...health, episode: null }) },
    laws: ['an incident has no page'],
  },
  'on-call resolved when the page opened instead of when a step fires': {
    defect: { freezesOnCall: true },
    laws: ['a step went to somebody who is not on call'],
  },
  'waits that are counted from another clock': {
    defect: { clock: (now) => now + 240_000 },
    laws: ['a step came late'],
  },
  'steps that are due and do not fire': {
    defect: { clock: (now) => now - 1_000 },
    laws: ['what is due stays due'],
  },
  'a step that is sent twice': {
    defect: {
      decision: (decision) => ({ ...decision, orders: decision.orders.flatMap((order) => [order, order]) }),
    },
    laws: ['a step was sent twice', 'an end was told twice', 'an acknowledgement was told twice'],
  },
  'a step that is sent again after a restart': {
    defect: {
      records: (records) =>
        records.map((record) =>
          stepOf(record.key) && record.value !== null && 'rules' in record.value
            ? { key: `page ${record.value.id}`, value: { ...record.value, step: 0, round: 0 } }
            : record,
        ),
    },
    laws: ['a step was sent twice', 'a restart changed the pages'],
  },
  'pages that a restart loses': {
    defect: { records: () => [] },
    laws: ['a restart changed the pages', 'an incident has no page'],
  },
  'members that a restart loses': {
    defect: { records: (records) => records.filter(({ key }) => stepOf(key)) },
    laws: ['an incident has no page'],
  },
  'a restart that forgets who was paged': {
    defect: {
      records: (records) =>
        records.map((record) =>
          record.value !== null && 'rules' in record.value
            ? { key: `page ${record.value.id}`, value: { ...record.value, told: [] } }
            : record,
        ),
    },
    laws: ['a restart changed the pages', 'somebody who was paged did not hear of the end'],
  },
  'a restart that forgets the minute of each person': {
    defect: { records: (records) => records.filter(({ key }) => !key.startsWith('minutes ')) },
    laws: ['a person got two pages within a minute'],
  },
  'quiet hours in the wrong zone': {
    defect: {
      options: (options) => ({
        ...options,
        fleet: () => {
          const fleet = options.fleet()
          const people = new Map(fleet.people).set('ana', {
            ...fleet.people.get('ana')!,
            timezone: 'Asia/Tokyo',
          })
          return { ...fleet, people }
        },
      }),
    },
    laws: ['a step was sent in quiet hours'],
  },
  'a policy that is not in force any more when the incident opens': {
    defect: {
      options: (options) => ({
        ...options,
        fleet: () => ({ ...options.fleet(), escalationPolicies: new Map() }),
      }),
    },
    laws: ['an incident has no page'],
  },
  'a page that is named after any of its monitors': {
    defect: {
      decision: (decision) => ({
        ...decision,
        orders: decision.orders.map((order) =>
          order.is === 'withdraw'
            ? order
            : { ...order, news: { ...order.news, lead: order.news.others[0] ?? order.news.lead } },
        ),
      }),
    },
    laws: ['a step names what is over'],
  },
  'an end that is not told': {
    defect: {
      decision: (decision) => ({
        ...decision,
        orders: decision.orders.filter((order) => order.is === 'withdraw' || order.news.stage !== 'ended'),
      }),
    },
    laws: ['somebody who was paged did not hear of the end'],
  },
}

describe('a planted defect', () => {
  it.each(Object.entries(defects))('%s is noticed', (_, { defect, laws }) => {
    const found = fc.check(
      fc.property(events, (happened) => !brokenBy(happened, defect).some((law) => laws.includes(law))),
      { numRuns: 2_000, seed: 1, endOnFailure: true },
    )
    expect(found.failed).toBe(true)
  })
})
