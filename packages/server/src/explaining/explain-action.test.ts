// What happened, and what explain says of each recovery and notification that came of it: one situation for every kind of
// reason, with it and without it. The sentences are one transcript, read as a whole.
import { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import type { Action } from '../deciding/actions/action.ts'
import { type Decided, situations } from '../deciding/actions/because-situations.fixture.ts'
import { LedgerUnderTest } from '../deciding/actions/ledger.fixture.ts'
import { becauses } from '../deciding/health/because.fixture.ts'
import type { Because } from '../deciding/health/because.ts'
import { becauseV2 } from '../projection/because-view.ts'
import { explainAction } from './explain-action.ts'
import { clauseOf, type Rule } from './explained.ts'
import { ruleOfReason } from './rule-of-reason.ts'

const names = (id: string) => (id === 'edge' ? 'Edge' : id)

function explain(world: LedgerUnderTest, action: Action) {
  const at = world.now
  const { view } = world.ledger
  return explainAction({ action, at, names, wait: view.waitOf(action.id, at), isHeld: false })
}

const placeOf = (rule: Rule) => v2.explainedRules.indexOf(rule)

function played(kind: Decided): LedgerUnderTest {
  const world = new LedgerUnderTest()
  situations[kind](world)
  return world
}

const reasonsOf = ({ because, delay, endedBecause }: Action): Because[] =>
  [because, delay, endedBecause].filter((reason) => reason != null)

const kinds = Object.keys(situations) as Decided[]
const others = Object.keys(becauses).filter((kind) => !(kind in situations)) as (keyof typeof becauses)[]

/** To give it reasons of kinds that come from pages, jobs that report by themselves, and own faults. */
const sample = [...played('threshold').records.values()].find(({ color }) => color === 'red')!

describe('every action', () => {
  it.each(kinds)(
    'of a situation with %s names each of its reasons under its rule, and none besides',
    (kind) => {
      const world = played(kind)
      expect(world.records.size + world.monitor().events.length).toBeGreaterThan(0)
      for (const action of world.records.values()) {
        const reasons = reasonsOf(action)
        const { rules } = explain(world, action)
        const named = rules.flatMap(({ because }) => (because === undefined ? [] : [because]))
        expect(named).toHaveLength(reasons.length)
        for (const reason of reasons) {
          const rule = rules.find(
            ({ because }) => JSON.stringify(because) === JSON.stringify(becauseV2(reason)),
          )
          expect(rule).toMatchObject({ rule: ruleOfReason(reason), verdict: 'decided' })
          expect(rule!.text.toLowerCase()).toContain(
            clauseOf(reason, { names, at: world.now })!.toLowerCase(),
          )
        }
      }
    },
  )

  it.each([...kinds, ...others])('without %s does not name it', (kind) => {
    const world = played(kind === 'threshold' ? 'warning' : 'threshold')
    const without = [...world.records.values()].filter((action) =>
      reasonsOf(action).every((reason) => reason.kind !== kind),
    )
    expect(without).not.toEqual([])
    for (const action of without)
      expect(explain(world, action).rules.map(({ because }) => because?.kind)).not.toContain(kind)
  })

  it.each(others)('because of %s says so under its rule', (kind) => {
    const because: Because = becauses[kind]
    const { rules } = explain(played('threshold'), { ...sample, because })
    const rule = rules.find((one) => one.because?.kind === kind)
    expect(rule).toMatchObject({ rule: ruleOfReason(because), verdict: 'decided' })
    expect(rule!.text).toContain(clauseOf(because, { names, at: 0 }))
  })

  it('of a version that kept no reasons says so, and does not guess', () => {
    const { summary, rules } = explain(played('threshold'), { ...sample, because: null })
    expect(summary).toMatch(/: an earlier version decided it and kept no reason\.$/)
    expect(rules.filter(({ because }) => because !== undefined)).toEqual([])
  })

  it.each(kinds)('of a situation with %s has each rule once or more, in the order of all rules', (kind) => {
    const world = played(kind)
    for (const action of world.records.values()) {
      const order = explain(world, action).rules.map(({ rule }) => rule)
      expect([...new Set(order)]).toEqual([...v2.explainedRules])
      expect(order).toEqual(order.toSorted((one, other) => placeOf(one) - placeOf(other)))
    }
  })

  it('says it in the words of one transcript', async () => {
    const told = kinds.map((kind) => {
      const world = played(kind)
      const lines = [...world.records.values()].map((action) => {
        const { summary, next } = explain(world, action)
        return [`- ${summary}`, ...next.map(({ text }) => `  - then: ${text}`)].join('\n')
      })
      return `## ${kind}\n\n${lines.length === 0 ? '- nothing was queued' : lines.join('\n')}`
    })
    const transcript = told.join('\n\n').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    await expect(`# What explain says of actions\n\n${transcript}\n`).toMatchFileSnapshot(
      '../golden/explained-actions.md',
    )
  })
})
