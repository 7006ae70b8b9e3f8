// What answers, dead destinations and reloads make of actions: behaviour.md §4.
import { describe, expect, it } from 'vitest'
import {
  accepted,
  destination,
  gone,
  LedgerUnderTest,
  minuteMs,
  rejected,
  retryLater,
  review,
  unanswered,
} from './ledger.fixture.ts'
import { nothingDecided } from './ledger-decision.ts'

const world = (options: ConstructorParameters<typeof LedgerUnderTest>[0] = {}) => new LedgerUnderTest(options)

describe('answers', () => {
  it('records a definite answer as a fact', () => {
    const w = world({ destinations: [destination('chat'), destination('mail')] })
    w.monitor().fails(1)
    const [chat, mail] = w.startsDue()
    w.answers(chat!, accepted)
    w.answers(mail!, rejected)
    expect(w.shows()).toEqual(['yellow succeeded', 'yellow failed rejected'])
    expect(w.events.map(({ type }) => type).slice(-2)).toEqual(['action_succeeded', 'action_failed'])
  })

  it('tries what was rejected for now again after 4 and 8 seconds, as new actions, and then as an ailing one', () => {
    const w = world()
    w.monitor().fails(1)
    const waits: number[] = []
    for (let attempt = 1; attempt <= 8; attempt++) {
      const [yellow] = w.startsDue()
      expect(yellow!.attempt).toBe(attempt)
      w.waits(100).answers(yellow!, retryLater())
      const nextAt = w.ledger.nextStartAt(w.now)!
      waits.push(nextAt - w.now)
      w.now = nextAt
    }
    expect(waits).toEqual([4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000])
    expect(new Set(w.records.keys()).size).toBe(9)
  })

  it('gives up after a day', () => {
    const w = world({ routes: { yellow: ['chat'] } })
    w.monitor().fails(1)
    const firstAt = w.now
    while (w.open().length > 0 && w.now < firstAt + 30 * 60 * minuteMs) {
      w.delivers(retryLater())
      w.now = Math.max(w.now + 1000, w.ledger.nextStartAt(w.now) ?? 0)
      w.decide((ledger) => ledger.expire(w.now))
    }
    const hours = (w.now - firstAt) / (60 * minuteMs)
    expect([hours > 23.9, hours < 24.1]).toEqual([true, true])
    expect(w.shows().at(-1)).toBe('yellow cancelled expired')
  })

  it.each([
    [2_000, 2_000],
    [0, 0],
    [-5, 0],
    [86_400_000, 3_600_000],
    [Number.POSITIVE_INFINITY, 3_600_000],
    [Number.NaN, 4_000],
  ])('waits as long as the provider says, at most an hour: %d ms', (retryAfterMs, waitMs) => {
    const w = world()
    w.monitor().fails(1)
    w.answers(w.startsDue()[0]!, retryLater(retryAfterMs))
    expect(w.open('yellow')[0]!.notBefore - w.now).toBe(waitMs)
  })

  it('makes a lost answer unknown, never replays it and shows it', () => {
    const w = world()
    w.monitor().fails(1)
    w.answers(w.startsDue()[0]!, unanswered)
    expect(w.shows()).toEqual(['yellow unknown'])
    w.waits(24 * 60 * minuteMs)
    expect([w.startsDue(), w.ledger.view.unknownActions]).toEqual([[], 1])
    expect(w.ledger.view.unknownActionsOf('edge')).toEqual({ all: 1, interventions: 0 })
  })

  it('forgets an unknown action when it is reviewed, once, or when history ends', () => {
    const w = world({ destinations: [destination('chat'), destination('mail')] })
    w.monitor().fails(1)
    w.delivers(unanswered)
    const [first] = w.records.keys()
    const accepted = review('accepted', w.now)
    expect(w.decide((ledger) => ledger.review(first!, accepted, w.now)).events).toMatchObject([
      { type: 'action_reviewed', actionId: first, actor: 'ann', outcome: 'accepted' },
    ])
    expect(w.decide((ledger) => ledger.review(first!, accepted, w.now)).events).toEqual([])
    expect(w.ledger.view.unknownActions).toBe(1)
    w.ledger.forgetBefore(w.now + 1)
    expect(w.ledger.view.unknownActionsOf('edge').all).toBe(0)
  })

  it('ignores a second answer, and one to an action that was never started', () => {
    const w = world({ destinations: [destination('chat', { maxInFlight: 1 })] })
    w.monitor('a').fails(1)
    w.monitor('b').fails(1)
    const [started] = w.startsDue()
    w.answers(started!, accepted)
    const [queued] = w.open()
    expect([w.answers(started!, rejected), w.answers(queued!, accepted)]).toEqual([
      nothingDecided,
      nothingDecided,
    ])
  })

  it.each([
    [accepted, 'verifying', 'intervention succeeded'],
    [rejected, 'incident', 'intervention failed rejected'],
    [retryLater(1000), 'incident', 'intervention failed rejected'],
    [gone, 'incident', 'intervention failed gone'],
    [unanswered, 'incident', 'intervention unknown'],
  ] as const)(
    'tells health how an intervention ended, and does not try it again: %j',
    (outcome, status, shown) => {
      const w = world({ routes: {} })
      w.monitor('edge', { recoveryConfigured: true }).fails(3)
      expect(w.delivers(outcome)).toHaveLength(1)
      expect([w.monitor().status, w.shows()]).toEqual([status, [shown]])
      expect(w.monitor().state.hold !== null).toBe(outcome === unanswered)
    },
  )
})

describe('dead destinations', () => {
  const dying = () => {
    const w = world({
      destinations: [destination('chat', { maxInFlight: 1 })],
      routes: { yellow: ['chat'], red: ['chat'] },
    })
    for (const name of ['a', 'b', 'c']) w.monitor(name).fails(1)
    w.answers(w.startsDue()[0]!, gone)
    w.startsDue()
    return w
  }

  it('ends all that is queued for a destination that is gone, and says so once', () => {
    const w = dying()
    expect(w.shows()).toEqual(['yellow failed gone', 'yellow failed gone', 'yellow failed gone'])
    expect(w.events.filter(({ type }) => type === 'destination_dead')).toMatchObject([
      { endpoint: 'chat', monitorId: null },
    ])
    expect(w.ledger.view.destinations(w.now)).toEqual([
      { name: 'chat', state: 'dead', since: w.now, reason: '410', until: null, queued: 0 },
    ])
  })

  it('ends it also while there is no room to start anything', () => {
    const w = world({ destinations: [destination('chat', { maxInFlight: 1 })], routes: { yellow: ['chat'] } })
    for (const name of ['a', 'b', 'c']) w.monitor(name).fails(1)
    w.answers(w.startsDue()[0]!, gone)
    w.decide((ledger) => ledger.startDue(w.now, w.guard, { interventions: 0, notifications: 0 }))
    expect(w.open()).toEqual([])
  })

  it('records what could not be sent to it', () => {
    const w = dying()
    w.monitor('a').fails(2)
    expect(w.shows(({ color }) => color === 'red')).toEqual(['red failed gone'])
  })

  it('is alive again when its configuration changes, and not before, also over a restart', () => {
    const w = dying()
    w.reloads([destination('chat')])
    w.restarts()
    expect(w.ledger.view.destinationRecords()).toHaveLength(1)
    w.reloads([destination('chat', { fingerprint: 'second' })])
    w.monitor('a').fails(2)
    expect(w.startsDue()).toMatchObject([{ color: 'red' }])
  })
})

describe('reload', () => {
  it('cancels what is queued for a destination that is no more', () => {
    const w = world()
    w.monitor().fails(1)
    w.reloads([destination('mail')])
    expect([w.shows(), w.ledger.view.pendingColorOf('edge')]).toEqual([
      ['yellow cancelled configuration_changed'],
      null,
    ])
  })

  it('lets what is under way to it end, without a retry', () => {
    const w = world()
    w.monitor().fails(1)
    const [yellow] = w.startsDue()
    w.reloads([])
    w.answers(yellow!, retryLater())
    expect(w.shows()).toEqual(['yellow failed rejected', 'yellow cancelled configuration_changed'])
  })
})
