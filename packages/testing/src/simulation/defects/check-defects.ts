// simulation/defects/check-defects.ts: defects in when checks start, and in what their results and the clock mean.

import type { MonitorInput } from '@pulseward/server/internal/deciding/decide.ts'
import { nothingDecided } from '@pulseward/server/internal/deciding/decision.ts'
import { clear } from '@pulseward/server/internal/deciding/health/ancestors.ts'
import type { HealthRules } from '@pulseward/server/internal/deciding/health/health.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import { type Defects, replace } from './defect.ts'

export const checkDefects: Defects = {
  'early-check': {
    summary: 'The schedule is two seconds ahead of its time.',
    engine: ({ checks: { scheduler } }) =>
      replace(scheduler, 'advance', (advance) => (nowMs, wallMs) => advance(nowMs + 2_000, wallMs + 2_000)),
  },
  'burst-after-pause': {
    summary: 'A stall is not noticed, and the rows that it swallowed are made up for.',
    engine: ({ checks: { scheduler } }) =>
      replace(scheduler, 'advance', (advance) => (nowMs, wallMs) => {
        scheduler.resume(nowMs)
        advance(nowMs, wallMs)
      }),
  },
  'healthy-when-failing': {
    summary: 'A monitor whose check has failed is shown as up.',
    engine: ({ checks }) =>
      replace(
        checks,
        'takeResults',
        (takeResults) => (turn, source, batch) =>
          takeResults(turn, source, { ...batch, outcomes: batch.outcomes.map(() => 0) }),
      ),
  },
  'deaf-to-parents': {
    summary: 'What a monitor depends on is always taken to be well.',
    engine: ({ dependencies }) => replace(dependencies, 'ancestorsOf', () => () => clear),
  },
  'every-timeout-excused': {
    summary: 'Every timeout and every local error is taken for our own fault.',
    engine: ({ ownFault }) => replace(ownFault, 'excuses', () => () => true),
  },
  'own-fault-blamed-on-targets': {
    summary: 'Nothing is ever our own fault.',
    engine: ({ ownFault }) => replace(ownFault, 'excuses', () => () => false),
  },
  'suspend-counts-against-targets': {
    summary: 'A clock that jumped says nothing about the checks that were in flight.',
    engine: ({ ownFault }) => replace(ownFault, 'jumped', () => () => {}),
  },
  'time-anchored-once': {
    summary: 'Service time does not follow a clock that was set.',
    engine: ({ time }) => replace(time, 'anchorAgain', () => () => 0),
  },
  'waits-not-moved': {
    summary: 'What the ledger waits for does not move with a clock that was set.',
    engine: ({ ledger }) =>
      replace(ledger, 'move', () => () => ({
        actions: [],
        events: [],
        health: [],
        pages: [],
        destinationsChanged: false,
      })),
  },
  'every-child-suppressed': {
    summary: 'What a monitor depends on is always taken to be in trouble.',
    engine: ({ dependencies }) =>
      replace(dependencies, 'ancestorsOf', (ancestorsOf) => (row, firstFailureAt, now) => {
        const isChild = dependencies.parentsOf(row).parents.length > 0
        return isChild ? { kind: 'in-trouble', by: 'nobody' } : ancestorsOf(row, firstFailureAt, now)
      }),
  },
  'hasty-child': {
    summary: 'A child does not wait for the check of its parent.',
    engine: ({ dependencies }) =>
      replace(dependencies, 'ancestorsOf', (ancestorsOf) => (row, firstFailureAt, now) => {
        const ancestors = ancestorsOf(row, firstFailureAt, now)
        return ancestors.kind === 'not-checked' ? clear : ancestors
      }),
  },
  'late-incident': withRules('It takes one failure more than configured.', (rules) => ({
    ...rules,
    unhealthyThreshold: rules.unhealthyThreshold + 1,
  })),
  'hasty-recovered': withRules('One healthy check is always enough.', (rules) => ({
    ...rules,
    healthyThreshold: 1,
  })),
  'settle-ignored': withRules('Checks count at once after a recovery.', (rules) => ({
    ...rules,
    settleMs: 0,
  })),
  'repeat-too-often': withRules('Red is repeated twice as often as configured.', (rules) => ({
    ...rules,
    repeatMs: rules.repeatMs === null ? null : rules.repeatMs / 2,
  })),
  'repeat-never': withRules('Red is never repeated.', (rules) => ({ ...rules, repeatMs: null })),
  'stale-streaks': {
    summary: 'A changed check goes on with the streaks of the old one.',
    engine: deafTo('configuration-changed'),
  },
  'disabled-ignored': {
    summary: 'A monitor that is switched off keeps its incident.',
    engine: deafTo('enabled', 'disabled'),
  },
  'windows-unseen': {
    summary: 'No monitor is ever brought into maintenance.',
    engine: deafTo('maintenance-began'),
  },
}

function withRules(summary: string, change: (rules: HealthRules) => HealthRules) {
  return {
    summary,
    engine: ({ rules }: EngineParts) => replace(rules, 'of', (of) => (row) => change(of(row))),
  }
}

function deafTo(...kinds: MonitorInput['kind'][]) {
  return ({ decider }: EngineParts) =>
    replace(
      decider,
      'decide',
      (decide) => (input, now) =>
        input.kind === 'monitor' && kinds.includes(input.input.kind) ? nothingDecided : decide(input, now),
    )
}
