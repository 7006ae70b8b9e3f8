import { definitionOf } from '@pulseward/testing/fleet'
import { expect, it } from 'vitest'
import { arrange } from '../fleet/arrangement.ts'
import { Fleet } from '../fleet/fleet.ts'
import type { Input } from './decide.ts'
import { type Decision, nothingDecided } from './decision.ts'
import { DependencyGraph } from './dependency-graph.ts'
import type { HealthRules } from './health/health.ts'
import { type Health, newHealth } from './health/health.ts'
import { Reminders } from './reminders.ts'
import type { Turn } from './turn.ts'

const rules: HealthRules = {
  unhealthyThreshold: 1,
  healthyThreshold: 1,
  recoveryConfigured: false,
  settleMs: 0,
  repeatMs: 60_000,
}

/** One parent, checked every 10 s, and so many children of it. */
function remindersOver(children: number): Reminders {
  const fleet = new Fleet(['tcp'])
  const documents = Array.from({ length: children + 1 }, (_, row) => ({
    id: `m${row}`,
    name: `m${row}`,
    depends_on: row === 0 ? [] : ['m0'],
    check: { type: 'tcp', interval: '10s', config: { host: 'h', port: 1 } },
  }))
  fleet.apply(arrange(definitionOf(documents), null))
  const dependencies = new DependencyGraph(fleet)
  dependencies.rebuild()
  return new Reminders(dependencies)
}

function waitingForParent(firstFailureAt: number): Health {
  return {
    ...newHealth(1),
    episode: {
      id: 'e',
      firstFailureAt,
      lastFailureAt: firstFailureAt,
      failures: 1,
      healthyStreak: 0,
      thresholdReachedAt: firstFailureAt,
      announced: false,
      recovery: 'untried',
      verification: null,
      withheld: 'ancestor_not_checked',
      suppressedBy: null,
      suppressionReported: false,
      incident: null,
    },
  }
}

function openSince(openedAt: number): Health {
  const { episode, ...health } = waitingForParent(openedAt)
  const incident = { id: 'i', openedAt, lastRedAt: openedAt, retell: false, handling: null }
  return { ...health, episode: { ...episode!, withheld: null, incident } }
}

/** A turn that only notes what is brought in. */
class NotingTurn implements Turn {
  readonly now: number
  readonly asked: string[] = []

  constructor(now: number) {
    this.now = now
  }

  decide(input: Input): Decision {
    if (input.kind === 'monitor') this.asked.push(`${input.input.kind} ${input.row}`)
    return nothingDecided
  }

  afterCommit(): void {}
}

function due(reminders: Reminders, now: number): string[] {
  const turn = new NotingTurn(now)
  reminders.askDue(turn)
  return turn.asked
}

function afterCheckOf(reminders: Reminders, parent: number): string[] {
  const turn = new NotingTurn(0)
  reminders.parentsChecked(turn, Uint32Array.of(parent))
  return turn.asked
}

function becomes(reminders: Reminders, row: number, state: Health): void {
  const step = { row, before: newHealth(1), step: { state, events: [], effects: [] }, stored: state, rules }
  reminders.follow({ ...nothingDecided, steps: [step] })
}

it('asks about a child when its parent was checked, and not before', () => {
  const reminders = remindersOver(2)
  becomes(reminders, 1, waitingForParent(1_000))
  expect(afterCheckOf(reminders, 2)).toEqual([])
  expect(afterCheckOf(reminders, 0)).toEqual(['ancestor-checked 1'])
})

it('asks about a child when its wait of one parent interval is over', () => {
  const reminders = remindersOver(1)
  becomes(reminders, 1, waitingForParent(1_000))
  expect(due(reminders, 10_999)).toEqual([])
  expect(due(reminders, 11_000)).toEqual(['ancestor-checked 1'])
})

it('asks about nobody who does not wait any more', () => {
  const reminders = remindersOver(1)
  becomes(reminders, 1, waitingForParent(1_000))
  becomes(reminders, 1, newHealth(1))
  expect(afterCheckOf(reminders, 0)).toEqual([])
  expect(due(reminders, 1_000_000)).toEqual([])
  expect(reminders.size).toBe(0)
})

it('asks about a red that is due again, and again later when it could not be sent', () => {
  const reminders = remindersOver(1)
  becomes(reminders, 1, openSince(1_000))
  expect(due(reminders, 60_999)).toEqual([])
  expect(due(reminders, 61_000)).toEqual(['repeat-due 1'])
  expect(due(reminders, 61_001)).toEqual([])
  expect(due(reminders, 71_000)).toEqual(['repeat-due 1'])
})

it('moves with the clock', () => {
  const reminders = remindersOver(1)
  becomes(reminders, 1, openSince(1_000))
  reminders.move(-500)
  expect(due(reminders, 60_499)).toEqual([])
  expect(due(reminders, 60_500)).toEqual(['repeat-due 1'])
})

it('examines none of fifty thousand that wait while nothing is due', () => {
  const reminders = remindersOver(50_000)
  for (let row = 1; row <= 50_000; row++) becomes(reminders, row, waitingForParent(1_000))
  for (let now = 1_000; now < 11_000; now += 1_000) expect(due(reminders, now)).toEqual([])
  expect(due(reminders, 11_000)).toHaveLength(50_000)
})
