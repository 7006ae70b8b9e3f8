// Nothing goes untold: what a destination did not hear of an incident is carried by its green, or by a digest.
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Action } from './action.ts'
import { DestinationQueue } from './destination-queue.ts'
import {
  accepted,
  destination,
  everyColorTo,
  gone,
  LedgerUnderTest,
  minuteMs,
  rejected,
  retryLater,
  unanswered,
} from './ledger.fixture.ts'

const redAndGreen = { red: ['chat'], green: ['chat'] }
const cooldownMs = 5 * minuteMs

function world(options: ConstructorParameters<typeof LedgerUnderTest>[0] = {}) {
  return new LedgerUnderTest({ routes: redAndGreen, ...options })
}

/** One incident from its first failure to its end, a second for each check. */
function outage(w: LedgerUnderTest, name = 'edge', opened = () => {}): void {
  for (let check = 0; check < 3; check++) w.waits(1000).monitor(name).fails(1)
  opened()
  for (let check = 0; check < 2; check++) w.waits(1000).monitor(name).succeeds(1)
}

function outageAtOnce(w: LedgerUnderTest, name: string): void {
  w.monitor(name).fails(3).succeeds(2)
}

function digests(w: LedgerUnderTest): Action[] {
  return [...w.records.values()].filter(({ cause }) => cause === 'digest')
}

/** What the digest that starts now says. */
function startsDigest(w: LedgerUnderTest) {
  const [digest] = w.startsDue().filter(({ cause }) => cause === 'digest')
  return { digest: digest!, says: w.ledger.view.digestOf('chat', w.now) }
}

describe('the green of an incident', () => {
  it('tells of it when its red was rejected until the end', () => {
    const w = world()
    w.monitor().fails(3)
    w.answers(w.startsDue()[0]!, retryLater())
    w.waits(1000).monitor().succeeds(2)
    const [green] = w.startsDue()
    expect(green).toMatchObject({ color: 'green' })
    expect(w.ledger.view.carriedBy(green!.id, w.now)).toMatchObject({ incidents: 1 })
    w.answers(green!, accepted)
    expect(w.waits(60 * minuteMs).startsDue()).toEqual([])
  })

  it('tells nothing besides when its red was taken', () => {
    const w = world()
    w.monitor().fails(3)
    w.delivers()
    w.waits(1000).monitor().succeeds(2)
    const [green] = w.startsDue()
    expect(w.ledger.view.carriedBy(green!.id, w.now)).toBeNull()
  })

  it('tells of an incident whose red may not have arrived', () => {
    const w = world()
    w.monitor().fails(3)
    w.delivers(unanswered)
    w.waits(1000).monitor().succeeds(2)
    const [green] = w.startsDue()
    expect(w.ledger.view.carriedBy(green!.id, w.now)).toMatchObject({ incidents: 1 })
  })

  it('leaves it to a digest when it does not arrive either', () => {
    const w = world()
    w.monitor().fails(3)
    const since = w.now
    w.delivers(rejected)
    w.waits(1000).monitor().succeeds(2)
    w.delivers(unanswered)
    w.now = since + cooldownMs - 1
    expect(w.startsDue()).toEqual([])
    w.waits(1)
    expect(startsDigest(w).says).toMatchObject({
      incidents: 1,
      monitors: [{ monitorId: 'edge', incidents: 1 }],
    })
  })
})

describe('a digest', () => {
  it('tells of all outages within a cooldown in one message', () => {
    const w = world()
    for (let count = 0; count < 6; count++) {
      outage(w, 'edge', () => w.delivers())
      w.delivers()
    }
    expect(w.starts.map(({ action }) => action.color)).toEqual(['red', 'green'])
    w.waits(cooldownMs)
    const { digest, says } = startsDigest(w)
    expect(says).toMatchObject({ incidents: 5, monitors: [{ monitorId: 'edge', incidents: 5 }] })
    w.answers(digest, accepted)
    const [sent, ...reported] = w.events.slice(-6)
    expect(sent).toMatchObject({ type: 'digest_sent', endpoint: 'chat', monitorId: null })
    const told = { type: 'incident_reported', monitorId: 'edge', endpoint: 'chat', actionId: digest.id }
    expect(reported).toMatchObject(Array.from({ length: 5 }, () => told))
    expect(new Set(reported.map(({ incidentId }) => incidentId)).size).toBe(5)
    expect(w.waits(60 * minuteMs).startsDue()).toEqual([])
  })

  it('tells of an incident whose red was in flight from its dismissal until after it was reopened', () => {
    const w = world()
    w.monitor().fails(3)
    const [red] = w.startsDue()
    w.monitor().isHandled('dismissed').isHandled('reopened')
    w.waits(1000).answers(red!, retryLater())
    expect(w.shows()).toEqual(['red failed rejected', 'red cancelled dismissed'])
    w.waits(cooldownMs)
    expect(startsDigest(w).says).toMatchObject({ incidents: 1 })
  })

  it('ends a storm behind a limited channel in one message', () => {
    const w = world({ destinations: [destination('chat', { ratePerSecond: 0.01 })] })
    for (let number = 0; number < 100; number++) w.monitor(`m${number}`).fails(3)
    w.answers(w.startsDue()[0]!, accepted)
    for (let number = 0; number < 100; number++) w.monitor(`m${number}`).succeeds(2)
    const told: (string | null)[] = []
    for (let second = 0; second < 3600; second++)
      for (const { color } of w.waits(1000).delivers()) told.push(color)
    expect(told).toEqual(['green', null])
    expect(w.events.filter(({ type }) => type === 'digest_sent')).toMatchObject([
      { detail: { incidents: 99, monitors: 99 } },
    ])
  })

  it('comes one cooldown after the first incident became untold, and so does the next', () => {
    const w = world({ routes: { red: ['chat'] } })
    outage(w)
    const firstAt = w.now
    outage(w)
    w.startsDue()
    expect(w.ledger.nextStartAt(w.now)).toBe(firstAt + cooldownMs)
    w.now = firstAt + cooldownMs
    w.answers(startsDigest(w).digest, accepted)
    outage(w)
    w.startsDue()
    expect(w.ledger.nextStartAt(w.now)).toBe(w.now + cooldownMs)
  })

  it('comes no sooner after a restart that lost the answer to the last one', () => {
    const w = world({ routes: { red: ['chat'] } })
    outage(w)
    w.waits(cooldownMs)
    startsDigest(w)
    w.restarts(1000)
    expect(w.startsDue()).toEqual([])
    expect(w.waits(cooldownMs).startsDue()).toMatchObject([{ cause: 'digest' }])
  })

  it('comes no later however often the service restarts after its clock was set back', () => {
    const w = world({ routes: { red: ['chat'] } })
    outage(w, 'edge', () => w.delivers(rejected))
    w.restarts(-60 * minuteMs)
    w.waits(cooldownMs - minuteMs).restarts()
    expect(w.startsDue()).toEqual([])
    expect(w.waits(minuteMs).startsDue()).toMatchObject([{ cause: 'digest' }])
  })

  it('says how long it lasted, from when to when, and names the longest first', () => {
    const w = world({ routes: { red: ['chat'] } })
    w.waits(1000)
    const from = w.now
    w.monitor('a').fails(3)
    w.monitor('b').fails(3)
    w.waits(minuteMs).monitor('a').succeeds(2)
    w.waits(minuteMs).monitor('b').succeeds(2)
    const to = w.now
    w.waits(cooldownMs)
    const { says } = startsDigest(w)
    expect(says).toMatchObject({ incidents: 2, to, monitors: [{ monitorId: 'b' }, { monitorId: 'a' }] })
    expect(says!.from).toBeGreaterThanOrEqual(from)
    expect(says!.downMs).toBe(says!.monitors[0]!.downMs + says!.monitors[1]!.downMs)
  })

  it('is tried again when it is rejected for now', () => {
    const w = world({ routes: { red: ['chat'] } })
    outage(w)
    w.waits(cooldownMs)
    w.answers(startsDigest(w).digest, retryLater())
    expect(w.waits(4000).startsDue()).toMatchObject([{ cause: 'digest', attempt: 2 }])
  })

  it('is dropped with an event when it is rejected for good', () => {
    const w = world({ routes: { red: ['chat'] } })
    outage(w)
    w.waits(cooldownMs)
    w.answers(startsDigest(w).digest, rejected)
    expect(w.events.at(-1)).toMatchObject({ type: 'digest_dropped', detail: { incidents: 1 } })
    expect(w.waits(60 * minuteMs).startsDue()).toEqual([])
  })

  it('is not thought to have told of what a process with an earlier clock sees', () => {
    const w = world({ routes: { red: ['chat'] } })
    outage(w)
    w.waits(cooldownMs)
    w.answers(startsDigest(w).digest, accepted)
    w.restarts(-60 * minuteMs)
    outage(w)
    w.waits(2 * cooldownMs)
    expect(startsDigest(w).says).toMatchObject({ incidents: 1 })
  })

  it('survives a restart, before it is queued and while it is', () => {
    const w = world({ destinations: [destination('chat', { maxInFlight: 0 })], routes: { red: ['chat'] } })
    outage(w)
    w.restarts(1000)
    w.waits(cooldownMs).startsDue()
    expect(digests(w)).toMatchObject([{ state: 'queued' }])
    w.restarts(1000)
    w.reloads([destination('chat')])
    expect(startsDigest(w).says).toMatchObject({ incidents: 1 })
  })

  it.each([
    ['a restart', (w: LedgerUnderTest) => w.restarts(10 * minuteMs)],
    [
      'a restart after its clock was set',
      (w: LedgerUnderTest) => w.setsClock(60 * minuteMs).restarts(minuteMs),
    ],
    ['another incident', (w: LedgerUnderTest) => outageAtOnce(w.waits(minuteMs), 'edge')],
  ])('knows how long it lasted when its red was in flight at its end, after %s', (_, happens) => {
    const w = world({ routes: { red: ['chat'] } })
    let red: Action | undefined
    outage(w, 'edge', () => {
      red = w.startsDue()[0]
    })
    happens(w)
    if (w.records.get(red!.id)!.state === 'started') w.answers(red!, unanswered)
    w.waits(2 * cooldownMs)
    expect(startsDigest(w).says!.downMs).toBeLessThan(5_000)
  })

  it('whose answer was lost leaves its incidents to the next one', () => {
    const w = world({ routes: { red: ['chat'] } })
    outage(w)
    w.waits(cooldownMs)
    w.answers(startsDigest(w).digest, unanswered)
    expect(w.waits(cooldownMs - 1).startsDue()).toEqual([])
    w.waits(1)
    expect(startsDigest(w).says).toMatchObject({ incidents: 1 })
  })

  it('that was in flight in a crash leaves its incidents to the next one', () => {
    const w = world({ routes: { red: ['chat'] } })
    outage(w)
    w.waits(cooldownMs).startsDue()
    w.restarts(1000)
    expect(w.shows(({ cause }) => cause === 'digest')).toEqual(['code unknown'])
    w.waits(cooldownMs)
    expect(startsDigest(w).says).toMatchObject({ incidents: 1 })
  })

  it.each([
    ['the same clock', 1000],
    ['an earlier clock', -60 * minuteMs],
  ])('has not told of what a green carried that was in flight in a crash: %s', (_, downMs) => {
    const w = world({ routes: { ...redAndGreen, yellow: ['chat'] } })
    w.monitor('edge').fails(1)
    w.delivers()
    w.reloads([destination('chat', { maxInFlight: 0 })])
    outageAtOnce(w, 'other')
    w.waits(cooldownMs).startsDue()
    w.monitor('edge').fails(2).succeeds(2)
    w.reloads([destination('chat', { maxInFlight: 1 })])
    w.waits(1000)
    w.answers(startsDigest(w).digest, accepted)
    expect(w.startsDue()).toMatchObject([{ color: 'green', monitorId: 'edge' }])
    w.restarts(downMs)
    w.waits(2 * cooldownMs)
    expect(startsDigest(w).says).toMatchObject({ monitors: [{ monitorId: 'edge' }] })
  })

  it('has not told of what a green carried that is tried again after it, also after a restart', () => {
    const w = world({ routes: { ...redAndGreen, yellow: ['chat'] } })
    w.monitor('edge').fails(1)
    w.delivers()
    w.reloads([destination('chat', { maxInFlight: 0 })])
    outageAtOnce(w, 'other')
    w.waits(cooldownMs).startsDue()
    w.monitor('edge').fails(2).succeeds(2)
    w.reloads([destination('chat', { maxInFlight: 1 })])
    w.waits(1000)
    w.answers(startsDigest(w).digest, accepted)
    w.answers(w.startsDue()[0]!, retryLater())
    w.restarts(4000)
    const [green] = w.startsDue()
    expect(w.ledger.view.carriedBy(green!.id, w.now)).toMatchObject({ incidents: 1 })
  })

  it('gives up what could not be told for a day, with an event', () => {
    const w = world({ routes: { red: ['chat'] } })
    outage(w)
    for (let hour = 0; hour < 25; hour++) {
      w.waits(60 * minuteMs).delivers(unanswered)
      w.decide((ledger) => ledger.expire(w.now))
    }
    expect(w.events.filter(({ type }) => type === 'digest_dropped')).toMatchObject([
      { endpoint: 'chat', outcome: 'expired', detail: { incidents: 1 } },
    ])
    expect(w.waits(60 * minuteMs).startsDue()).toEqual([])
  })

  it('tells also of an incident that is still open when its red was rejected for good', () => {
    const w = world()
    w.monitor().fails(3)
    w.delivers(rejected)
    w.waits(cooldownMs)
    w.answers(startsDigest(w).digest, accepted)
    w.monitor().succeeds(2)
    const [green] = w.startsDue()
    expect(w.ledger.view.carriedBy(green!.id, w.now)).toBeNull()
  })

  it('tells of one that is still open when a repeat was rejected for good after the answer to its red was lost', () => {
    const w = world()
    w.monitor('edge', { repeatMs: cooldownMs }).fails(3)
    w.delivers(unanswered)
    const repeats = (answer: ActionOutcome) => {
      w.waits(cooldownMs).monitor().fails(1).isDueToRepeat()
      w.delivers(answer)
    }
    repeats(unanswered)
    expect(w.ledger.nextStartAt(w.now)).toBeNull()
    repeats(rejected)
    expect(w.waits(cooldownMs).startsDue()).toMatchObject([{ cause: 'digest' }])
    expect(w.ledger.view.digestOf('chat', w.now)).toMatchObject({ incidents: 1 })
  })

  it('tells nothing of one whose repeat was rejected and whose red was taken', () => {
    const w = world()
    w.monitor('edge', { repeatMs: cooldownMs }).fails(3)
    w.delivers()
    w.waits(cooldownMs).monitor().fails(1).isDueToRepeat()
    expect(w.delivers(rejected)).toMatchObject([{ cause: 'repeat' }])
    expect(w.waits(60 * minuteMs).startsDue()).toEqual([])
  })

  it('tells nothing of a dismissed one whose repeat is rejected after the answer to its red was lost', () => {
    const w = world()
    w.monitor('edge', { repeatMs: cooldownMs }).fails(3)
    w.delivers(unanswered)
    w.waits(cooldownMs).monitor().fails(1).isDueToRepeat()
    const [repeat] = w.startsDue()
    w.monitor().isHandled('dismissed')
    w.answers(repeat!, retryLater())
    expect(w.shows()).toEqual(['red unknown', 'red failed rejected', 'red cancelled dismissed'])
    expect(w.waits(60 * minuteMs).startsDue()).toEqual([])
  })

  it('settles what it told of in slices, until nothing is left', () => {
    const w = world({ routes: { red: ['chat'] } })
    for (let number = 0; number < 1200; number++) outageAtOnce(w, `m${number}`)
    w.waits(cooldownMs)
    w.answers(startsDigest(w).digest, accepted)
    const left = () => [...w.records.values()].filter(({ untold }) => untold !== null).length
    const reported = () => w.events.filter(({ type }) => type === 'incident_reported')
    const sizes = [left()]
    expect(reported()).toHaveLength(500)
    while (w.ledger.nextStartAt(w.now) !== null && sizes.length < 10) {
      w.startsDue()
      sizes.push(left())
    }
    expect(sizes).toEqual([700, 200, 0])
    expect(new Set(reported().map(({ incidentId }) => incidentId)).size).toBe(1200)
  })

  it('names the incidents that it told of, also if the process ends before all are named', () => {
    const w = world({ routes: { red: ['chat'] } })
    for (let number = 0; number < 700; number++) outageAtOnce(w, `m${number}`)
    w.waits(cooldownMs)
    w.answers(startsDigest(w).digest, accepted)
    w.restarts()
    w.startsDue()
    const reported = w.events.filter(({ type }) => type === 'incident_reported')
    expect(new Set(reported.map(({ incidentId }) => incidentId)).size).toBe(700)
  })

  it('names no incident if it was not delivered', () => {
    const w = world({ routes: { red: ['chat'] } })
    outage(w)
    w.waits(cooldownMs)
    w.answers(startsDigest(w).digest, rejected)
    w.startsDue()
    expect(w.events.filter(({ type }) => type === 'incident_reported')).toEqual([])
  })

  it('waits as little as a second where there is no cooldown', () => {
    const w = world({ routes: { red: ['chat'] }, settings: { cooldownMs: 0 } })
    outage(w)
    expect(w.startsDue()).toEqual([])
    expect(w.waits(1000).startsDue()).toMatchObject([{ cause: 'digest' }])
  })
})

describe('nobody is told', () => {
  it.each([
    ['a monitor that was removed', (w: LedgerUnderTest) => void w.monitor().gets({ kind: 'removed' })],
    ['a dead destination', (w: LedgerUnderTest) => void died(w)],
    ['a destination that is not in the fleet any more', (w: LedgerUnderTest) => void w.reloads([])],
  ])('of %s', (_, happens) => {
    const w = world()
    w.monitor().fails(3)
    w.monitor().succeeds(2)
    happens(w)
    expect(w.waits(60 * minuteMs).startsDue()).toEqual([])
    expect([...w.records.values()].filter(({ untold }) => untold !== null)).toEqual([])
  })

  it.each([
    ['rejected', rejected],
    ['rejected for now', retryLater()],
    ['lost', unanswered],
  ])('of a monitor that was removed before the answer to its red, which is %s', (_, answer) => {
    const w = world()
    w.monitor().fails(3)
    const [red] = w.startsDue()
    w.monitor().gets({ kind: 'removed' })
    w.answers(red!, answer)
    expect(w.waits(60 * minuteMs).startsDue()).toEqual([])
    expect([...w.records.values()].filter(({ untold }) => untold !== null)).toEqual([])
  })

  it.each([
    ['is lost with the process', false, ['red unknown']],
    ['never comes, since no worker had taken it', true, ['red failed rejected', 'red cancelled dismissed']],
  ])(
    'of an incident that was dismissed before it closed, when the answer to its red %s',
    (_, isExternal, shown) => {
      const w = world()
      w.external = { isGranted: () => false, isExternal: () => isExternal }
      w.monitor().fails(3)
      w.startsDue()
      w.monitor().isHandled('dismissed').succeeds(2)
      w.restarts(1000)
      expect(w.shows(({ color }) => color === 'red')).toEqual(shown)
      expect(w.waits(60 * minuteMs).startsDue()).toEqual([])
      expect([...w.records.values()].filter(({ untold }) => untold !== null)).toEqual([])
    },
  )

  it('of what happened in maintenance', () => {
    const w = world()
    w.monitor().fails(3).beginsMaintenance().succeeds(2).endsMaintenance()
    expect(w.waits(60 * minuteMs).startsDue()).toEqual([])
  })

  it('who keeps alerts, except what opens and closes them', () => {
    const w = world({ destinations: [destination('chat', { keepsAlerts: true })] })
    outage(w)
    expect(w.waits(60 * minuteMs).startsDue()).toEqual([])
  })
})

function died(w: LedgerUnderTest): void {
  w.monitor('other').fails(3)
  w.answers(w.startsDue()[0]!, gone)
  w.startsDue()
}

describe('a provider that keeps alerts', () => {
  it.each(['disabled', 'removed'] as const)('is told the end of what nobody watches any more: %s', (kind) => {
    const w = world({
      destinations: [destination('pager', { keepsAlerts: true }), destination('chat')],
      routes: everyColorTo('pager', 'chat'),
    })
    w.monitor().fails(3)
    w.delivers()
    w.monitor().gets({ kind })
    expect(w.delivers().map(({ color, endpoint }) => `${color} ${endpoint}`)).toEqual(['green pager'])
  })

  it('is told the end also when its beginning was told so long ago that it is not known any more', () => {
    const w = world({
      destinations: [destination('pager', { keepsAlerts: true }), destination('chat')],
      routes: everyColorTo('pager', 'chat'),
    })
    w.monitor().fails(3)
    w.delivers()
    w.waits(60 * minuteMs)
    w.restarts(1000, w.now - 10 * minuteMs)
    w.monitor().gets({ kind: 'disabled' })
    expect(w.delivers().map(({ color, endpoint }) => `${color} ${endpoint}`)).toEqual(['green pager'])
  })

  it('hears the end after the beginning, also when the beginning is slow', () => {
    const w = world({
      destinations: [destination('pager', { keepsAlerts: true })],
      routes: { red: ['pager'], green: ['pager'] },
    })
    w.monitor().fails(3)
    const [red] = w.startsDue()
    w.monitor().succeeds(2)
    expect(w.startsDue()).toEqual([])
    w.answers(red!, accepted)
    expect(w.startsDue()).toMatchObject([{ color: 'green' }])
  })
})

describe('an ailing destination', () => {
  const failing = (count: number) => {
    const w = world({ routes: { yellow: ['chat'] } })
    for (let number = 0; number < count; number++) w.monitor(`m${number}`).fails(1)
    return w
  }

  it('is tried by one at a time, ever more seldom, and the rest waits', () => {
    const w = failing(10)
    for (const action of w.startsDue()) w.answers(action, retryLater())
    expect(w.ledger.view.destinations(w.now)).toMatchObject([
      { state: 'ailing', reason: '503', since: w.now },
    ])
    expect(w.ledger.view.waitOf(w.open()[0]!.id, w.now)).toBe('ailing_destination')
    const waits: number[] = []
    for (let probe = 0; probe < 6; probe++) {
      const nextAt = w.ledger.nextStartAt(w.now)!
      waits.push(nextAt - w.now)
      w.now = nextAt
      const started = w.startsDue()
      expect(started).toHaveLength(1)
      w.answers(started[0]!, retryLater())
    }
    expect(waits).toEqual([16_000, 32_000, 64_000, 128_000, 256_000, 300_000])
  })

  it('is open again with the first success, and both are told once', () => {
    const w = failing(10)
    for (const action of w.startsDue()) w.answers(action, retryLater())
    w.now = w.ledger.nextStartAt(w.now)!
    w.answers(w.startsDue()[0]!, accepted)
    expect(w.ledger.view.destinations(w.now)).toMatchObject([{ state: 'ok', since: null, reason: null }])
    expect(w.delivers()).toHaveLength(9)
    const types = w.events.flatMap(({ type }) => (type.startsWith('destination') ? [type] : []))
    expect(types).toEqual(['destination_ailing', 'destination_recovered'])
  })

  it('is ailing still after a restart, and waits as long', () => {
    const w = failing(4)
    for (const action of w.startsDue()) w.answers(action, retryLater())
    const nextAt = w.ledger.nextStartAt(w.now)
    w.restarts(1000)
    expect(w.ledger.view.destinations(w.now)).toMatchObject([{ state: 'ailing' }])
    expect(w.ledger.nextStartAt(w.now)).toBe(nextAt)
  })

  it('keeps the times of its last digest beside the clock when that is set', () => {
    const queue = new DestinationQueue(destination('chat'))
    queue.digestedUpTo = 5_000
    queue.digestedAt = 6_000
    queue.move(-4_000)
    expect(queue.record()).toMatchObject({ digestedUpTo: 1_000, digestedAt: 2_000 })
  })

  it('is written down again when the clock is set, so that the next process waits as long', () => {
    const w = failing(4)
    for (const action of w.startsDue()) w.answers(action, retryLater())
    expect(w.ledger.move(60 * minuteMs).destinationsChanged).toBe(true)
  })

  it('is shown so after a restart when an answer was lost, and not when a delivery is tried again', () => {
    const lost = failing(1)
    lost.answers(lost.startsDue()[0]!, unanswered)
    lost.restarts(1000)
    expect(lost.ledger.view.destinations(lost.now)).toMatchObject([{ state: 'ailing' }])
    const retried = failing(1)
    retried.answers(retried.startsDue()[0]!, retryLater())
    retried.restarts(1000)
    expect(retried.ledger.view.destinations(retried.now)).toMatchObject([{ state: 'ok' }])
  })

  it('is not so after a restart because of answers that were lost long ago', () => {
    const w = failing(4)
    for (const action of w.startsDue()) w.answers(action, unanswered)
    w.monitor('next').fails(1)
    w.delivers(accepted)
    w.waits(60 * minuteMs)
    w.restarts(1000, w.now - 10 * minuteMs)
    w.monitor('last').fails(1)
    w.answers(w.startsDue()[0]!, retryLater())
    expect(w.ledger.view.destinations(w.now)).toMatchObject([{ state: 'ok' }])
  })

  it.each([rejected, unanswered])('is shown so from the first that is lost for good: %j', (outcome) => {
    const w = failing(1)
    w.answers(w.startsDue()[0]!, outcome)
    const [shown] = w.ledger.view.destinations(w.now)
    expect(shown).toMatchObject({ state: 'ailing', since: w.now, until: null })
    w.monitor('next').fails(1)
    w.answers(w.startsDue()[0]!, accepted)
    expect(w.ledger.view.destinations(w.now)).toMatchObject([{ state: 'ok' }])
  })

  it('is well when its configuration changes', () => {
    const w = failing(4)
    for (const action of w.startsDue()) w.answers(action, retryLater())
    w.reloads([destination('chat', { fingerprint: 'second' })])
    expect(w.waits(8000).delivers()).toHaveLength(4)
  })

  it('is tried when it says, if it says', () => {
    const w = failing(4)
    for (const action of w.startsDue()) w.answers(action, retryLater(90_000))
    expect(w.ledger.nextStartAt(w.now)).toBe(w.now + 90_000)
  })

  it('takes what was queued for it in the order in which it came', () => {
    const w = failing(8)
    for (const action of w.startsDue()) w.answers(action, retryLater())
    w.now = w.ledger.nextStartAt(w.now)!
    expect(w.startsDue()).toMatchObject([{ monitorId: 'm4' }])
  })
})

describe('notifications of one monitor to one destination', () => {
  it('are never in flight at the same time, except gray', () => {
    const w = new LedgerUnderTest({ routes: everyColorTo('chat') })
    w.monitor('edge', { recoveryConfigured: true }).fails(3)
    w.routes = {}
    w.answers(w.startsDue().find(({ kind }) => kind === 'intervention')!, accepted)
    expect(w.open('yellow')).toMatchObject([{ state: 'started' }])
    w.routes = everyColorTo('chat')
    w.monitor().beginsMaintenance()
    w.monitor().endsMaintenance()
    expect(w.startsDue().map(({ color }) => color)).toEqual(['gray'])
  })
})

describe('a hanging destination', () => {
  it('is tried by one at a time after three lost answers, without a further wait', () => {
    const w = world({ routes: { yellow: ['chat'] } })
    for (let number = 0; number < 10; number++) w.monitor(`m${number}`).fails(1)
    for (const action of w.startsDue()) w.answers(action, unanswered)
    expect(w.ledger.view.destinations(w.now)).toMatchObject([{ state: 'ailing', reason: 'no answer' }])
    expect(w.startsDue()).toHaveLength(1)
  })

  it('leaves a place for every other, however many hang', () => {
    const names = ['a', 'b', 'c', 'd', 'healthy']
    const w = new LedgerUnderTest({ destinations: names.map((name) => destination(name)), routes: {} })
    w.routes = { yellow: names.slice(0, 4) }
    for (let number = 0; number < 4; number++) w.monitor(`m${number}`).fails(1)
    const room = { interventions: 0, notifications: 16 }
    w.decide((ledger) => ledger.startDue(w.now, w.guard, room))
    w.routes = { yellow: ['healthy'] }
    w.monitor('last').fails(1)
    const { actions } = w.decide((ledger) =>
      ledger.startDue(w.now, w.guard, { interventions: 0, notifications: 0 }),
    )
    expect(actions).toMatchObject([{ endpoint: 'healthy', state: 'started' }])
  })
})
