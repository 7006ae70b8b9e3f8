// What a monitor has to say and to whom: behaviour.md §4 (destinations, cooldown, supersession), §3.5, 3.8 to 3.10.
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../store/store.ts'
import {
  accepted,
  destination,
  LedgerUnderTest,
  minuteMs,
  rejected,
  retryLater,
  unanswered,
} from './ledger.fixture.ts'
import type { ActionEvent } from './ledger-decision.ts'

const world = (options: ConstructorParameters<typeof LedgerUnderTest>[0] = {}) => new LedgerUnderTest(options)
const warned = 'expires soon'

describe('destinations', () => {
  it('queues one action for each destination of a color', () => {
    const w = world({
      destinations: [destination('chat'), destination('mail')],
      routes: { red: ['chat', 'mail'] },
    })
    w.monitor().fails(3)
    expect(w.open('red').map(({ endpoint }) => endpoint)).toEqual(['chat', 'mail'])
    expect(w.events.map(({ type, color }) => `${type} ${color}`)).toEqual([
      'action_queued red',
      'action_queued red',
    ])
  })

  it('queues nothing for a color that goes nowhere', () => {
    const w = world({ routes: {} })
    w.monitor().fails(3)
    expect(w.records.size).toBe(0)
  })

  it('never has two open actions of one color for one monitor and destination: the queued one says what holds now', () => {
    const w = world({ routes: { yellow: ['chat'] } })
    w.monitor().succeeds(1, warned).fails(1)
    const [yellow] = w.open('yellow')
    expect(w.open('yellow')).toHaveLength(1)
    expect(yellow).toMatchObject({ cause: 'episode', episodeId: w.monitor().state.episode?.id, revision: 3 })
  })

  it('queues what came while the same color was under way after that has ended', () => {
    const w = world({ routes: { red: ['chat'] } })
    w.monitor().fails(3)
    const [first] = w.startsDue()
    w.monitor().succeeds(2).fails(3)
    expect(w.open('red')).toMatchObject([{ id: first!.id, followUp: { cause: 'episode' } }])
    w.answers(first!, rejected)
    expect(w.open('red')).toMatchObject([{ attempt: 1, episodeId: w.monitor().state.episode?.id }])
  })

  it('queues no follow-up that was superseded before its turn came', () => {
    const w = world({ routes: { red: ['chat'], green: ['chat'] } })
    w.monitor().fails(3)
    const [first] = w.startsDue()
    w.monitor().succeeds(2).fails(3).succeeds(2)
    w.answers(first!, accepted)
    expect(w.open('red')).toEqual([])
  })

  it('still owes a green that was to follow another and was superseded before its turn came', () => {
    const destinations = [destination('chat'), destination('log')]
    const routes = { red: ['chat'], green: ['log'] }
    const w = world({ settings: { cooldownMs: 0 }, destinations, routes })
    w.monitor().fails(3)
    w.delivers()
    w.monitor().succeeds(2)
    const [green] = w.startsDue()
    w.monitor().fails(3)
    w.delivers()
    w.monitor().succeeds(2).fails(1)
    w.answers(green!, accepted)
    w.monitor().succeeds(2)
    expect(w.open()).toMatchObject([{ color: 'green', endpoint: 'log' }])
  })

  it('gives events the shape that the store keeps', () => {
    const event: ActionEvent = {} as ActionEvent
    const stored: Omit<StoredEvent, 'revision' | 'numericId'> = event
    expect(stored).toBe(event)
  })
})

describe('cooldown', () => {
  const flapping = (settings = {}) => {
    const w = world({ settings })
    w.monitor().fails(1)
    const [yellow] = w.delivers()
    w.monitor().succeeds(2)
    const [green] = w.delivers()
    w.waits(1000).monitor().fails(1)
    return { w, yellow: yellow!, green: green! }
  }

  it('queues the next of that color with the end of the cooldown, and does not swallow it', () => {
    const { w, yellow } = flapping()
    expect(w.open('yellow')).toMatchObject([{ notBefore: yellow.startedAt! + 5 * minuteMs }])
    expect(w.startsDue()).toEqual([])
    w.waits(5 * minuteMs)
    expect(w.startsDue()).toHaveLength(1)
  })

  it.each([
    [true, 0],
    [false, 5 * minuteMs],
  ])('is bypassed by green when that is set: %s', (greenBypassesCooldown, waitMs) => {
    const { w, green } = flapping({ greenBypassesCooldown, cooldownMs: 5 * minuteMs })
    w.waits(5 * minuteMs - 60_000)
    w.monitor().fails(2)
    w.delivers()
    w.monitor().succeeds(2)
    const earliest = waitMs === 0 ? w.now : green.startedAt! + waitMs
    expect(w.open('green')[0]!.notBefore).toBe(earliest)
  })

  it('does not count what was rejected', () => {
    const w = world({ routes: { gray: ['chat'] } })
    w.monitor().beginsMaintenance()
    w.delivers(rejected)
    w.monitor().endsMaintenance()
    expect(w.open('gray')).toMatchObject([{ notBefore: w.now }])
  })

  it('counts what may have arrived', () => {
    const w = world({ routes: { gray: ['chat'] } })
    w.monitor().beginsMaintenance()
    w.delivers(unanswered)
    w.monitor().endsMaintenance()
    expect(w.open('gray')[0]!.notBefore).toBeGreaterThan(w.now)
  })

  it('is one for each destination and each monitor', () => {
    const w = world({ destinations: [destination('chat'), destination('mail')] })
    w.monitor('a').fails(1)
    w.delivers()
    w.monitor('b').fails(1)
    expect(w.delivers()).toHaveLength(2)
  })

  it('leaves nothing behind when it is over', () => {
    const w = world()
    w.monitor().fails(1)
    w.delivers()
    w.monitor().succeeds(2)
    w.delivers()
    expect(w.ledger.concerns('edge')).toBe(true)
    w.waits(5 * minuteMs).startsDue()
    expect(w.ledger.concerns('edge')).toBe(false)
  })
})

describe('supersession of what is still queued', () => {
  it('red cancels yellow, green and cyan', () => {
    const w = world()
    w.monitor('edge', { recoveryConfigured: true }).fails(3)
    w.startsDue()
    expect(w.shows()).toEqual(['yellow started', 'intervention started'])
    const yellow = w.open('yellow')[0]!
    w.answers(yellow, accepted)
    w.answers(w.open().find(({ kind }) => kind === 'intervention')!, accepted)
    w.waits(minuteMs).monitor().fails(1)
    expect(w.shows()).toEqual([
      'yellow succeeded',
      'intervention succeeded',
      'cyan cancelled superseded',
      'red queued',
    ])
  })

  it('green cancels yellow, red and cyan', () => {
    const w = world()
    w.monitor().fails(1)
    w.delivers()
    w.monitor().fails(2).succeeds(2)
    expect(w.shows()).toEqual(['yellow succeeded', 'red cancelled superseded', 'green queued'])
  })

  it('no color cancels gray, and gray cancels none', () => {
    const w = world()
    w.monitor().fails(1).beginsMaintenance().succeeds(2)
    expect(w.shows()).toEqual(['yellow cancelled superseded', 'gray queued'])
  })

  it("a new episode cancels the last one's green", () => {
    const w = world()
    w.monitor().fails(3)
    w.delivers()
    w.monitor().succeeds(2).fails(1)
    expect(w.shows(({ color }) => color === 'green')).toEqual(['green cancelled superseded'])
  })

  it("a green that a new episode cancelled is sent at that episode's end, although nothing of it was told", () => {
    const w = world()
    w.monitor().fails(3)
    w.delivers()
    w.monitor().succeeds(2).fails(1).succeeds(2)
    expect(w.open().map(({ color }) => color)).toEqual(['green'])
  })

  it('is owed once: later episodes that nobody hears of send none', () => {
    const w = world({ routes: { red: ['chat'], green: ['chat'] } })
    w.monitor().fails(3)
    w.delivers()
    w.monitor().succeeds(2).fails(1).succeeds(2)
    w.delivers()
    w.monitor().fails(1).succeeds(2)
    expect(w.open()).toEqual([])
  })

  it('so it is when the new episode was suppressed and never announced', () => {
    const w = world()
    w.monitor().fails(3)
    w.delivers()
    w.monitor().succeeds(2).dependsOn({ kind: 'in-trouble', by: 'gateway' }).fails(1).succeeds(2)
    expect(w.open().map(({ color }) => color)).toEqual(['green'])
  })

  it('what is under way runs to its end, but is not tried again', () => {
    const w = world()
    w.monitor().fails(3)
    const [red] = w.startsDue()
    w.monitor().succeeds(2)
    w.answers(red!, retryLater())
    expect(w.shows(({ color }) => color === 'red')).toEqual([
      'red failed rejected',
      'red cancelled superseded',
    ])
  })

  it('a closing green spares the yellow of a warning that is still there', () => {
    const w = world({
      routes: { red: ['chat'], yellow: ['mail'], green: ['chat'] },
      destinations: [destination('chat'), destination('mail', { maxInFlight: 0 })],
    })
    w.monitor().fails(3)
    w.delivers()
    w.monitor().succeeds(2, warned)
    expect(w.open().map(({ color, cause }) => `${color} ${cause}`)).toEqual([
      'yellow warning',
      'green episode',
    ])
  })

  describe('a closing green, behind an ancestor in trouble, while a warning of which nothing was told is there', () => {
    const inTrouble = { kind: 'in-trouble', by: 'core' } as const

    it('cancels the yellow of the earlier warning that the episode took over', () => {
      const w = world({ destinations: [destination('chat', { maxInFlight: 0 })] })
      w.monitor().succeeds(1, warned).dependsOn(inTrouble).fails(1).succeeds(2, warned)
      expect(w.shows()).toEqual(['yellow cancelled superseded'])
    })

    it('does not let that yellow be tried again when it was in flight', () => {
      const w = world()
      w.monitor().succeeds(1, warned)
      const [yellow] = w.startsDue()
      w.monitor().dependsOn(inTrouble).fails(1).succeeds(2, warned)
      w.answers(yellow!, retryLater())
      expect(w.shows()).toEqual(['yellow failed rejected', 'green queued', 'yellow cancelled superseded'])
    })
  })

  it('a closing green spares the yellow of a warning that is still there and has to follow one in flight', () => {
    const w = world({ settings: { cooldownMs: 0 } })
    w.monitor().fails(1)
    const [yellow] = w.startsDue()
    w.monitor().succeeds(2, warned)
    w.answers(yellow!, accepted)
    expect(w.open('yellow')).toMatchObject([{ cause: 'warning', episodeId: null }])
  })

  it('a closing green withdraws it when the warning has ended within the episode and another is there', () => {
    const w = world({ settings: { cooldownMs: 0 } })
    w.monitor().fails(1)
    const [yellow] = w.startsDue()
    w.monitor().succeeds(1, warned).dependsOn({ kind: 'in-trouble', by: 'core' })
    w.monitor().fails(1).succeeds(2, warned)
    w.answers(yellow!, accepted)
    expect(w.open('yellow')).toEqual([])
  })

  it('a warning that rises again cancels the green of the last one', () => {
    const w = world()
    w.monitor().succeeds(1, warned)
    w.delivers()
    w.monitor().succeeds(1).succeeds(1, warned)
    expect(w.shows()).toEqual(['yellow succeeded', 'green cancelled superseded', 'yellow queued'])
  })
})

describe('green', () => {
  it('is dropped when nothing of its episode was sent', () => {
    const w = world({ routes: { red: ['chat'], green: ['chat'] } })
    w.monitor().fails(1).succeeds(2)
    expect(w.records.size).toBe(0)
  })

  it('is dropped when all of its episode was cancelled before it was sent', () => {
    const w = world()
    w.monitor().fails(3).succeeds(2)
    expect(w.shows()).toEqual(['yellow cancelled superseded', 'red cancelled superseded'])
  })

  it('goes to every destination of green when something was told to any', () => {
    const w = world({
      destinations: [destination('phone'), destination('log')],
      routes: { red: ['phone'], green: ['log'] },
    })
    w.monitor().fails(3)
    w.delivers()
    w.monitor().succeeds(2)
    expect(w.open()).toMatchObject([{ color: 'green', endpoint: 'log' }])
  })

  it('is sent when only an intervention was started', () => {
    const w = world({ routes: { green: ['chat'] } })
    w.monitor('edge', { recoveryConfigured: true }).fails(3)
    w.delivers()
    w.waits(minuteMs).monitor().succeeds(2)
    expect(w.open()).toMatchObject([{ color: 'green' }])
  })

  it('of a warning is dropped when its yellow was never sent', () => {
    const w = world()
    w.monitor().succeeds(1, warned).succeeds(1)
    expect(w.shows()).toEqual(['yellow cancelled superseded'])
  })

  it('of a warning is sent when its yellow was', () => {
    const w = world()
    w.monitor().succeeds(1, warned)
    w.delivers()
    w.monitor().succeeds(1)
    expect(w.open()).toMatchObject([{ color: 'green', cause: 'warning' }])
  })

  it('of an episode answers the yellow of a warning that it took over, though nothing else of it was sent', () => {
    const w = world()
    w.monitor().succeeds(1, warned)
    w.delivers()
    w.monitor().fails(1).succeeds(2)
    expect(w.open()).toMatchObject([{ color: 'green', cause: 'episode' }])
  })
})

describe('maintenance', () => {
  it('lets codes other than gray wait until the window ends', () => {
    const w = world()
    w.monitor().beginsMaintenance().fails(1)
    expect(w.startsDue().map(({ color }) => color)).toEqual(['gray'])
    const [yellow] = w.open('yellow')
    expect(w.ledger.view.waitOf(yellow!.id, w.now)).toBe('maintenance')
    w.monitor().endsMaintenance()
    expect(w.startsDue().map(({ color }) => color)).toEqual(['yellow'])
  })

  it('does not delay other monitors of the same destination', () => {
    const w = world({ destinations: [destination('chat', { maxInFlight: 1 })], routes: { yellow: ['chat'] } })
    w.monitor('patient').beginsMaintenance().fails(1)
    w.monitor('other').fails(1)
    expect(w.startsDue()).toMatchObject([{ monitorId: 'other' }])
  })

  it('cancels queued interventions', () => {
    const w = world()
    w.monitor('edge', { recoveryConfigured: true }).fails(3).beginsMaintenance()
    expect(w.shows(({ kind }) => kind === 'intervention')).toEqual(['intervention cancelled maintenance'])
  })
})

describe('disabled and removed', () => {
  it.each(['disabled', 'removed'] as const)('cancels all that is queued: %s', (kind) => {
    const w = world()
    w.monitor('edge', { recoveryConfigured: true }).fails(3).gets({ kind })
    expect(w.shows()).toEqual([`yellow cancelled ${kind}`, `intervention cancelled ${kind}`])
    expect(w.ledger.concerns('edge')).toBe(false)
  })

  it('lets a started one run to its end, without a retry', () => {
    const w = world()
    w.monitor().fails(1)
    const [yellow] = w.startsDue()
    w.monitor().gets({ kind: 'disabled' })
    w.answers(yellow!, retryLater())
    expect(w.shows()).toEqual(['yellow failed rejected', 'yellow cancelled disabled'])
  })

  it('cancels the actions of a monitor that has no health any more', () => {
    const w = world()
    w.monitor().fails(1)
    w.commit(w.ledger.monitorGone('edge', 'removed', w.now))
    expect([w.shows(), w.ledger.concerns('edge')]).toEqual([['yellow cancelled removed'], false])
  })
})

describe('repeat', () => {
  it('sends red again, and not twice while one is open', () => {
    const w = world({ settings: { cooldownMs: 0 }, routes: { red: ['chat'] } })
    w.monitor('edge', { repeatMs: 1000 }).fails(3)
    w.waits(1000).monitor().isDueToRepeat()
    expect(w.open('red')).toHaveLength(1)
    const [red] = w.startsDue()
    w.waits(1000).monitor().isDueToRepeat()
    w.answers(red!, accepted)
    expect(w.open('red')).toEqual([])
    w.waits(1000).monitor().isDueToRepeat()
    expect(w.open('red')).toMatchObject([
      { cause: 'repeat', incidentId: w.monitor().state.episode?.incident?.id },
    ])
  })
})

describe('pending code', () => {
  it('is the highest color with an open action, and is counted by monitor', () => {
    const w = world({ destinations: [destination('chat', { maxInFlight: 0 })] })
    w.monitor('a').beginsMaintenance()
    w.monitor('b').fails(1)
    expect([w.ledger.view.pendingColorOf('a'), w.ledger.view.pendingColorOf('b')]).toEqual(['gray', 'yellow'])
    w.monitor('a').fails(1)
    expect([w.ledger.view.pendingColorOf('a'), w.ledger.view.activeColorsOf('a')]).toEqual([
      'yellow',
      ['yellow', 'gray'],
    ])
    expect(w.ledger.view.monitorsByColor).toEqual({ red: 0, yellow: 2, cyan: 0, green: 0, gray: 0 })
  })

  it('is none for a monitor that nothing is known of', () => {
    expect([
      world().ledger.view.pendingColorOf('nobody'),
      world().ledger.view.activeColorsOf('nobody'),
    ]).toEqual([null, []])
  })
})
