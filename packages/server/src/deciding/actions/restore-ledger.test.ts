// What another run makes of the records of the last one, and what a gap means: behaviour.md §4 and §8.
import { describe, expect, it } from 'vitest'
import { accepted, destination, everyColorTo, LedgerUnderTest, minuteMs, rejected } from './ledger.fixture.ts'

const world = (options: ConstructorParameters<typeof LedgerUnderTest>[0] = {}) => new LedgerUnderTest(options)

describe('restart', () => {
  it('resumes queued work and makes started work unknown', () => {
    const w = world({ destinations: [destination('chat', { maxInFlight: 1 })], routes: { yellow: ['chat'] } })
    w.monitor('a').fails(1)
    w.monitor('b').fails(1)
    w.startsDue()
    w.restarts(minuteMs)
    expect(w.shows()).toEqual(['yellow unknown', 'yellow queued'])
    expect([...w.records.values()][0]).toMatchObject({ outcome: 'interrupted', finishedAt: w.now })
    expect(w.delivers()).toMatchObject([{ monitorId: 'b' }])
  })

  it('starts a queued red only after a check of this run has failed', () => {
    const w = world({ routes: { red: ['chat'] } })
    w.monitor().fails(3)
    w.restarts()
    expect(w.startsDue()).toEqual([])
    expect(w.ledger.view.waitOf(w.open('red')[0]!.id, w.now)).toBe('held')
    w.waits(1000).monitor().succeeds(1)
    expect(w.startsDue()).toEqual([])
    w.monitor().fails(1)
    expect(w.startsDue()).toHaveLength(1)
  })

  it('starts a queued intervention only after a check of this run has failed', () => {
    const w = world({ routes: {} })
    w.monitor('edge', { recoveryConfigured: true }).fails(3)
    w.restarts()
    expect(w.startsDue()).toEqual([])
    w.monitor().fails(1)
    expect(w.startsDue()).toHaveLength(1)
  })

  it('does the same after a gap', () => {
    const w = world({ routes: { red: ['chat'] } })
    w.monitor().fails(3)
    w.waits(31_000).ledger.gapEnded(w.now)
    expect(w.startsDue()).toEqual([])
    w.monitor().fails(1)
    expect(w.startsDue()).toHaveLength(1)
  })

  it('holds a red that an answer brings after a gap', () => {
    const w = world({ routes: { red: ['chat'] } })
    w.monitor('edge', { recoveryConfigured: true }).fails(3)
    const [intervention] = w.startsDue()
    w.waits(31_000).ledger.gapEnded(w.now)
    w.waits(1000).answers(intervention!, rejected)
    expect([w.monitor().status, w.startsDue()]).toEqual(['incident', []])
  })

  it('takes no failure of a clock that was ahead for one of this run', () => {
    const w = world({ routes: { red: ['chat'] } })
    w.monitor().fails(3)
    w.restarts(-60 * minuteMs)
    w.monitor().succeeds(1)
    expect(w.startsDue()).toEqual([])
    w.monitor().fails(1)
    expect(w.startsDue()).toHaveLength(1)
  })

  it('cancels a red that waits for such a check when the monitor has recovered', () => {
    const w = world()
    w.monitor().fails(3)
    w.restarts()
    w.monitor().succeeds(2)
    expect(w.open()).toEqual([])
  })

  it('holds a red that the restart itself has brought', () => {
    const w = world({ routes: { red: ['chat'] } })
    w.monitor('edge', { recoveryConfigured: true }).fails(3)
    w.startsDue()
    w.restarts()
    expect([w.monitor().status, w.startsDue()]).toEqual(['incident', []])
    w.monitor().fails(1)
    expect(w.startsDue()).toMatchObject([{ color: 'red' }])
  })

  it('still owes the green of what was told before, however long ago', () => {
    const w = world()
    w.monitor().fails(3)
    w.delivers()
    w.waits(40 * 24 * 60 * minuteMs)
    w.restarts(1000, w.now - 10 * minuteMs)
    expect(w.ledger.view.unknownActions).toBe(0)
    w.monitor().succeeds(2)
    expect(w.open()).toMatchObject([{ color: 'green' }])
  })

  it('still owes the green of a warning that an episode took over', () => {
    const w = world()
    w.monitor().succeeds(1, 'expires soon')
    w.delivers()
    w.monitor().fails(1)
    w.restarts()
    w.monitor().succeeds(2)
    expect(w.open()).toMatchObject([{ color: 'green', cause: 'episode' }])
  })

  it('still owes it when the warning was told too long ago to be known, and the episode is new', () => {
    const w = world()
    w.monitor().succeeds(1, 'expires soon')
    w.delivers()
    w.waits(15 * minuteMs)
      .monitor()
      .fails(1)
    w.restarts(0, w.now - 10 * minuteMs)
    w.monitor().succeeds(2)
    expect(w.open()).toMatchObject([{ color: 'green', cause: 'episode' }])
  })

  it.each([
    { clock: 'to after the warning', backMs: 12 * minuteMs },
    { clock: 'to before the warning', backMs: 60 * minuteMs },
  ])('still owes it when the clock is set back $clock after that', ({ backMs }) => {
    const destinations = [destination('chat'), destination('mail')]
    const w = world({ destinations, routes: { yellow: ['mail'], red: ['chat'], green: ['chat', 'mail'] } })
    w.monitor().succeeds(1, 'expires soon')
    w.delivers()
    w.waits(15 * minuteMs)
    w.restarts(0, w.now - 10 * minuteMs)
    w.monitor().fails(3)
    w.delivers()
    for (const downMs of [-backMs, minuteMs]) w.restarts(downMs, w.now + downMs - 10 * minuteMs)
    w.monitor().succeeds(2)
    expect(w.open('green').map(({ endpoint }) => endpoint)).toEqual(['chat', 'mail'])
  })

  it('still owes the green of an old warning after the clock was set', () => {
    const w = world()
    w.monitor().succeeds(1, 'expires soon')
    w.delivers()
    w.waits(60 * minuteMs)
    w.restarts(0, w.now - 10 * minuteMs)
    w.setsClock(3 * 60 * minuteMs)
    w.monitor().succeeds(1)
    expect(w.open()).toMatchObject([{ color: 'green', cause: 'warning' }])
  })

  describe.each([
    { trouble: 'an episode', begins: (w: LedgerUnderTest) => w.monitor().fails(3) },
    { trouble: 'a warning', begins: (w: LedgerUnderTest) => w.monitor().succeeds(1, 'expires soon') },
  ])('$trouble that was told long ago, by a clock that was set since', ({ begins }) => {
    /** The clock is set ahead while it is not known any more who was told, and back while no process runs. */
    const withOtherClock = () => {
      const w = world()
      begins(w)
      w.delivers()
      w.waits(60 * minuteMs)
      w.restarts(0, w.now - 10 * minuteMs)
      w.setsClock(3 * 60 * minuteMs)
      return w.restarts(-210 * minuteMs, w.now - 220 * minuteMs)
    }

    it('still owes its green after the next restart', () => {
      const w = withOtherClock()
      w.waits(minuteMs).restarts(0, w.now - 10 * minuteMs)
      w.monitor().succeeds(2)
      expect(w.open()).toMatchObject([{ color: 'green' }])
    })

    it('still owes it when an episode begins meanwhile', () => {
      const w = withOtherClock()
      w.monitor().fails(1)
      w.waits(minuteMs).restarts(0, w.now - 10 * minuteMs)
      w.monitor().succeeds(2)
      expect(w.open('green')).toMatchObject([{ color: 'green' }])
    })
  })

  it('still owes a green that was superseded', () => {
    const w = world()
    w.monitor().fails(3)
    w.delivers()
    w.monitor().succeeds(2).fails(1)
    w.restarts()
    w.monitor().succeeds(2)
    expect(w.open()).toMatchObject([{ color: 'green' }])
  })

  it('still owes it however long ago that was, and only until it is queued', () => {
    const w = world({ routes: { red: ['chat'], green: ['chat'] } })
    w.monitor().fails(3)
    w.delivers()
    // An episode caused by another monitor is not reported, so its end is not reported either.
    w.monitor().succeeds(2).dependsOn({ kind: 'in-trouble', by: 'switch' }).fails(1)
    expect(w.open('green')).toEqual([])
    w.waits(20 * minuteMs)
    w.restarts(0, w.now - 10 * minuteMs)
    w.monitor().succeeds(2)
    expect(w.delivers()).toMatchObject([{ color: 'green' }])
    w.waits(20 * minuteMs)
    w.restarts(0, w.now - 10 * minuteMs)
    w.monitor().fails(1).succeeds(2)
    expect(w.open()).toEqual([])
  })

  it('owes no green of a monitor that was removed meanwhile', () => {
    const w = world({ routes: { red: ['chat'], green: ['chat'] } })
    w.monitor().fails(3)
    w.delivers()
    w.monitor().succeeds(2).fails(1).gets({ kind: 'removed' })
    expect([...w.records.values()].filter(({ owesGreen }) => owesGreen)).toEqual([])
  })

  it('owes no green that was paid, also where the clock was ahead when it was superseded', () => {
    const w = world({ routes: { red: ['chat'], green: ['chat'] } })
    w.monitor().fails(3)
    w.delivers()
    w.monitor().succeeds(2).fails(1).succeeds(2)
    w.restarts(-30 * minuteMs)
    w.delivers()
    w.waits(20 * minuteMs).restarts(0, w.now - 10 * minuteMs)
    w.monitor().fails(1).succeeds(2)
    expect(w.open()).toEqual([])
  })

  it('sends no green for an episode of which nothing was told', () => {
    const w = world()
    w.monitor().fails(3)
    w.restarts()
    w.monitor().succeeds(2)
    expect(w.shows()).toEqual(['yellow cancelled superseded', 'red cancelled superseded'])
  })

  it('keeps cooldowns', () => {
    const w = world()
    w.monitor().fails(1)
    w.delivers()
    w.restarts()
    w.monitor().succeeds(2)
    w.delivers()
    w.monitor().fails(1)
    expect(w.open('yellow')[0]!.notBefore).toBeGreaterThan(w.now + 4 * minuteMs)
  })

  it('does not wait for instants of a clock that was ahead', () => {
    const w = world()
    w.monitor('a').fails(1)
    w.delivers()
    w.monitor('b').fails(1)
    const records = w.recordsFor(0)
    w.now -= 24 * 60 * minuteMs
    const earlier = world()
    earlier.now = w.now
    earlier.commit(earlier.ledger.restore(records, w.now))
    expect(earlier.ledger.view.openActionsOf('b')).toMatchObject([
      { queuedAt: w.now, notBefore: w.now, revision: 2 },
    ])
    expect(earlier.startsDue()).toHaveLength(1)
  })

  it('takes no warning of this run for one that a clock that was ahead has told', () => {
    const w = world({
      destinations: [destination('chat'), destination('mail')],
      routes: { yellow: ['chat'], red: ['mail'], green: ['chat', 'mail'] },
    })
    const warns = () => {
      w.waits(10 * minuteMs)
        .monitor()
        .succeeds(1, 'slow')
      w.delivers()
      w.waits(1000)
    }
    warns()
    w.restarts(-60 * minuteMs)
    w.monitor().succeeds(1)
    w.delivers()
    warns()
    w.monitor().succeeds(1)
    expect(w.open('green')).toMatchObject([{ endpoint: 'chat' }])
  })

  it('cancels what was queued for a destination that is no more', () => {
    const w = world()
    w.monitor().fails(1)
    w.destinations = [destination('mail')]
    w.routes = everyColorTo('mail')
    w.restarts()
    expect(w.shows()).toEqual(['yellow cancelled configuration_changed'])
  })

  it('lets an interrupted start of a clock that was ahead delay the next by no more than the cooldown', () => {
    const w = world({ routes: { yellow: ['chat'] } })
    w.monitor().fails(1)
    w.startsDue()
    w.restarts(-60 * minuteMs)
    const restartedAt = w.now
    w.monitor().succeeds(2).fails(1)
    expect(w.open('yellow')).toMatchObject([{ notBefore: restartedAt + 5 * minuteMs }])
  })

  it('queues what came while the interrupted one was under way', () => {
    const w = world({ settings: { cooldownMs: 0 }, routes: { gray: ['chat'] } })
    w.monitor().beginsMaintenance()
    w.startsDue()
    w.monitor().endsMaintenance()
    w.restarts()
    expect(w.shows()).toEqual(['gray unknown', 'gray queued'])
  })
})

describe('a restored backup', () => {
  it('sends nothing that was queued when it was made', () => {
    const w = world({ routes: { yellow: ['chat'], cyan: ['chat'], gray: ['chat'] } })
    w.monitor('a').fails(1)
    w.monitor('b').beginsMaintenance()
    w.isRestored(10 * minuteMs)
    expect(w.startsDue()).toEqual([])
    expect(w.shows()).toEqual(['yellow cancelled expired', 'gray cancelled expired'])
    expect([...w.records.values()][0]).toMatchObject({
      reason: 'restored from a backup of 1970-01-01T00:16:40.010Z; it may have been done since',
      finishedAt: w.now,
    })
  })

  it('sends a red that was queued only when the monitor still fails', () => {
    const w = world({ routes: { red: ['chat'], green: ['chat'] } })
    w.monitor('fails').fails(3)
    w.monitor('recovers').fails(3)
    w.isRestored(10 * minuteMs)
    expect(w.startsDue()).toEqual([])
    w.waits(1000).monitor('recovers').succeeds(2)
    w.monitor('fails').fails(1)
    expect(w.delivers()).toMatchObject([{ monitorId: 'fails', color: 'red' }])
    expect(w.open()).toEqual([])
  })

  it('repeats no intervention, and opens the incident of a monitor that waited for one', () => {
    const w = world({ routes: { red: ['chat'] } })
    w.monitor('edge', { recoveryConfigured: true }).fails(3)
    w.isRestored(10 * minuteMs)
    expect(w.monitor().status).toBe('incident')
    expect(w.shows()).toEqual(['intervention cancelled expired', 'red queued'])
    w.waits(1000).monitor().fails(1)
    expect(w.delivers()).toMatchObject([{ color: 'red' }])
  })

  it('does not send what waited behind a notification that was under way', () => {
    const w = world({ settings: { cooldownMs: 0 }, routes: { gray: ['chat'] } })
    w.monitor().beginsMaintenance()
    w.startsDue()
    w.monitor().endsMaintenance()
    w.isRestored(10 * minuteMs)
    expect(w.shows()).toEqual(['gray unknown'])
  })

  it('owes the green that was queued to the destinations that may not have got it', () => {
    const w = world({ routes: { red: ['chat'], green: ['chat'] } })
    w.monitor().fails(3)
    w.delivers()
    w.monitor().succeeds(2)
    expect(w.open('green')).toHaveLength(1)
    w.isRestored(10 * minuteMs)
    expect(w.delivers()).toEqual([])
    w.restarts()
    w.routes = { green: ['chat'] }
    w.monitor().fails(3).succeeds(2)
    expect(w.delivers()).toMatchObject([{ color: 'green' }])
  })

  it('keeps cooldowns', () => {
    const w = world({ routes: { yellow: ['chat'] } })
    w.monitor().fails(1)
    w.delivers()
    w.isRestored(minuteMs)
    w.monitor().succeeds(2).fails(1)
    expect(w.open('yellow')[0]!.notBefore).toBeGreaterThan(w.now + 3 * minuteMs)
  })
})

describe('a restart with actions of workers', () => {
  const taken = { isGranted: () => true, isExternal: () => true }
  const offered = { isGranted: () => false, isExternal: () => true }

  it('does not try again what nobody had taken and was superseded before', () => {
    const w = world({ routes: { yellow: ['chat'], red: ['chat'] } })
    w.monitor().fails(1)
    w.startsDue()
    w.monitor().fails(2)
    w.external = offered
    w.restarts()
    expect(w.shows(({ color }) => color === 'yellow')).toEqual([
      'yellow failed rejected',
      'yellow cancelled superseded',
    ])
  })

  it('tries again what nobody had taken and is still true', () => {
    const w = world({ routes: { yellow: ['chat'] } })
    w.monitor().fails(1)
    w.startsDue()
    w.external = offered
    w.restarts()
    expect(w.shows()).toEqual(['yellow failed rejected', 'yellow queued'])
  })

  it('keeps to the limit of a destination with what is still in flight there', () => {
    const w = world({ destinations: [destination('chat', { maxInFlight: 1 })], routes: { yellow: ['chat'] } })
    w.monitor('a').fails(1)
    w.monitor('b').fails(1)
    const [first] = w.startsDue()
    w.external = taken
    w.restarts()
    expect(w.startsDue()).toEqual([])
    if (first !== undefined) w.answers(first, accepted)
    expect(w.startsDue()).toMatchObject([{ monitorId: 'b' }])
  })

  it('takes one that was to try an ailing destination for that, and waits when it is rejected', () => {
    const w = world({ routes: { yellow: ['chat'] } })
    for (const name of ['a', 'b', 'c']) w.monitor(name).fails(1)
    w.delivers(rejected)
    w.waits(minuteMs).monitor('d').fails(1)
    const [probe] = w.startsDue()
    w.external = taken
    w.restarts()
    if (probe === undefined) throw new Error('nothing tries the destination')
    w.answers(probe, rejected)
    w.monitor('e').fails(1)
    expect(w.startsDue()).toEqual([])
  })

  it('starts no other recovery of a target that a worker still recovers', () => {
    const w = world({ routes: {} })
    for (const name of ['a', 'b']) {
      w.targets.set(name, 'the same machine')
      w.monitor(name, { recoveryConfigured: true }).fails(3)
    }
    const [first] = w.startsDue()
    w.external = taken
    w.restarts()
    w.monitor('b').fails(1)
    expect(w.startsDue()).toEqual([])
    if (first !== undefined) w.answers(first, accepted)
    expect(w.startsDue()).toMatchObject([{ monitorId: 'b' }])
  })
})
