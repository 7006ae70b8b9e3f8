// Every (state × input) pair: the reachable states are found breadth-first from a new monitor with small thresholds,
// and each input of an alphabet that covers every kind and every judgement is applied to each of them.
import { describe, expect, it } from 'vitest'
import { clear } from './ancestors.ts'
import type { Health, HealthRules } from './health.ts'
import { newHealth } from './health.ts'
import type { HealthContext, HealthInput } from './input.ts'
import { brokenLaws } from './laws.fixture.ts'
import { asked, inTrouble, notChecked, plainRules } from './monitor.fixture.ts'
import { statuses, statusOf } from './status.ts'
import { transition } from './transition.ts'

const now = 1_000_000
const rules: HealthRules = { ...plainRules, unhealthyThreshold: 2, recoveryConfigured: true, repeatMs: 0 }
const withoutRecovery: HealthRules = { ...rules, recoveryConfigured: false }

/** Ids of things that begin in a walk differ from those of what is already there. */
function contexts(state: Health): HealthContext[] {
  const ids = { episode: 'e', incident: 'i', intervention: 'a' }
  if (state.intervention?.episodeId === 'e') ids.episode = 'e2'
  if (state.intervention?.actionId === 'a') ids.intervention = 'a2'
  return [clear, inTrouble, notChecked].map((ancestors) => ({ ancestors, ids }))
}

function alphabet(state: Health): HealthInput[] {
  const countsFrom = state.episode?.verification?.countsFrom ?? null
  const starts = countsFrom === null ? [now] : [countsFrom, countsFrom - 1]
  const actionId = state.intervention?.actionId ?? 'nobody'
  const incidentId = state.episode?.incident?.id ?? 'nobody'
  const { checkRevision } = state
  const says = { warning: null, reason: null, from: null }
  const news = { kind: 'result', ownFault: false, ...says, finishedAt: now, checkRevision } as const
  const generation = state.generation + 1
  const results = contexts(state).flatMap((context) =>
    starts.flatMap((startedAt): HealthInput[] => {
      const result = { ...news, generation, startedAt, context }
      return [
        { ...result, status: 'success' },
        { ...result, status: 'success', warning: 'slow' },
        { ...result, status: 'failure' },
        { ...result, status: 'timeout' },
        { ...result, status: 'no_data' },
        { ...result, status: 'timeout', ownFault: true },
        { ...result, status: 'failure', generation: state.generation },
        { ...result, status: 'failure', checkRevision: checkRevision - 1 },
      ]
    }),
  )
  const judged = contexts(state).flatMap((context): HealthInput[] => [
    { kind: 'action-ended', actionId, outcome: 'accepted', context },
    { kind: 'action-ended', actionId, outcome: 'rejected', context },
    { kind: 'action-ended', actionId, outcome: 'unknown', context },
    { kind: 'action-ended', actionId, outcome: 'cancelled', context },
    { kind: 'ancestor-checked', context },
    { kind: 'maintenance-began', name: null, untilWallMs: 2e12, context },
    { kind: 'repeat-due', context },
    { kind: 'recovery-requested', asked, context },
    { kind: 'restarted', interventionRuns: false, context },
    { kind: 'restarted', interventionRuns: true, context },
  ])
  return [
    ...results,
    ...judged,
    { kind: 'action-started', actionId },
    { kind: 'hold-reviewed' },
    { kind: 'hold-restored' },
    { kind: 'snoozed', untilWallMs: now + 1, asked },
    { kind: 'unsnoozed', asked },
    { kind: 'snooze-expired' },
    { kind: 'acknowledged', incidentId, asked },
    { kind: 'dismissed', incidentId, asked },
    { kind: 'reopened', incidentId, asked },
    { kind: 'dismissed', incidentId: 'another', asked },
    { kind: 'maintenance-ended' },
    { kind: 'disabled' },
    { kind: 'enabled' },
    { kind: 'removed' },
    { kind: 'configuration-changed', checkRevision, recoveryChanged: true },
    { kind: 'configuration-changed', checkRevision: checkRevision + 1, recoveryChanged: false },
  ]
}

/** What the next step can depend on: not generations, instants, or counters beyond their thresholds. */
function shape(state: Health): string {
  const { episode, intervention, warning } = state
  const handling = episode?.incident?.handling ?? null
  return JSON.stringify({
    ...state,
    generation: 0,
    checkRevision: 0,
    lastOutcome: state.lastOutcome === 'own_fault',
    warning: warning?.announced,
    snooze: state.snooze !== null,
    // Time stands still in this walk: who asked once may not ask again, so that those who have not come first.
    control: null,
    intervention: intervention && [intervention.startedAt !== null, intervention.episodeId === episode?.id],
    episode: episode && {
      ...episode,
      id: '',
      lastFailure: null,
      thresholdReachedAt: episode.thresholdReachedAt !== null,
      warnedSince: null,
      failures: Math.min(episode.failures, rules.unhealthyThreshold),
      healthyStreak: Math.min(episode.healthyStreak, rules.healthyThreshold),
      incident: episode.incident && [
        episode.incident.retell,
        handling && (handling.isDismissed ? 'dismissed' : 'acknowledged'),
      ],
    },
  })
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) deepFreeze(part)
  }
  return value
}

function walk(
  visit: (before: Health, input: HealthInput, rules: HealthRules) => Health,
  mostStates: number,
): Map<string, Health> {
  const start = deepFreeze(newHealth(1))
  const found = new Map([[shape(start), start]])
  let left = mostStates
  // A Map is walked in insertion order and includes what is added on the way: that is breadth first.
  for (const state of found.values()) {
    if (left-- === 0) break
    for (const input of alphabet(state)) {
      for (const underRules of [rules, withoutRecovery]) {
        const next = visit(state, input, underRules)
        if (next === state) continue
        const key = shape(deepFreeze(next))
        if (!found.has(key)) found.set(key, next)
      }
    }
  }
  return found
}

/** The first three steps that break a law, and the states that were found. */
function walkByLaws(mostStates: number): { broken: readonly unknown[]; found: readonly Health[] } {
  const broken: unknown[] = []
  const found = walk((before, input, underRules) => {
    const step = transition(before, input, underRules, now)
    const names = brokenLaws({ before, input, rules: underRules, step })
    if (names.length > 0 && broken.length < 3) broken.push({ names, before, input, after: step.state })
    return step.state
  }, mostStates)
  return { broken, found: [...found.values()] }
}

describe('transition', () => {
  it('keeps every law for every input in the states nearest to a new monitor, and mutates nothing', () => {
    const { broken, found } = walkByLaws(400)
    expect(broken).toEqual([])
    expect(new Set(found.map(statusOf))).toEqual(new Set(statuses))
  })

  // Four million steps: on a busy machine they take a while.
  it('keeps every law for every input in every reachable state, and mutates nothing', {
    tags: 'long',
    timeout: 600_000,
  }, () => {
    const { broken, found } = walkByLaws(Number.POSITIVE_INFINITY)
    expect(broken).toEqual([])
    expect(found.length).toBeGreaterThan(10_000)
  })

  it('gives the very same state back for an input that means nothing', () => {
    const quiet = newHealth(1)
    for (const input of alphabet(quiet)) {
      if (
        ['result', 'maintenance-began', 'disabled', 'removed', 'hold-restored', 'snoozed'].includes(
          input.kind,
        )
      )
        continue
      if (input.kind === 'configuration-changed') continue
      expect(transition(quiet, input, rules, now)).toEqual({ state: quiet, events: [], effects: [] })
      expect(transition(quiet, input, rules, now).state).toBe(quiet)
    }
  })

  it('refuses an input of a kind that it does not know', () => {
    const foreign = { kind: 'check-now' } as unknown as HealthInput
    expect(() => transition(newHealth(1), foreign, rules, now)).toThrow('unknown health input')
  })
})
