// simulation/defects/action-defects.ts: defects in recoveries and notifications of a failing monitor.
import type { Color, Effect } from '@pulseward/server/internal/deciding/health/step.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import { type Defect, type Defects, replace } from './defect.ts'

const sendsNo = (color: Color): Defect => ({
  summary: `The ledger does not hear when a ${color} is due.`,
  engine: ({ ledger }) => withEffects(ledger, (effect) => (isNotify(effect, color) ? [] : [effect])),
})

export const actionDefects: Defects = {
  'second-recovery': {
    summary: 'Every episode queues its recovery twice.',
    engine: ({ ledger }) =>
      replace(ledger, 'apply', (apply) => (one, now) => {
        const effects = one.step.effects.flatMap((effect): Effect[] =>
          effect.kind === 'queue-intervention'
            ? [effect, { ...effect, actionId: `${effect.actionId}-again` }]
            : [effect],
        )
        return apply({ ...one, step: { ...one.step, effects } }, now)
      }),
  },
  'noise-in-maintenance': {
    summary: 'The ledger does not hear of maintenance windows.',
    engine: ({ ledger }) =>
      replace(ledger, 'apply', (apply) => (one, now) => {
        const state = { ...one.step.state, maintenance: null }
        return apply({ ...one, step: { ...one.step, state } }, now)
      }),
  },
  'old-evidence': {
    summary: 'After a restart a red or a recovery starts on what the last run has seen.',
    engine: ({ ledger }) => {
      replace(ledger, 'restore', (restore) => (records, now) => {
        const decision = restore(records, now)
        ledger.gapEnded(Number.NEGATIVE_INFINITY)
        return decision
      })
      replace(ledger, 'apply', (apply) => (one, now) => {
        const { episode } = one.before
        const before =
          episode === null ? one.before : { ...one.before, episode: { ...episode, lastFailureAt: 0 } }
        return apply({ ...one, before }, now)
      })
    },
  },
  'budget-ignored': {
    summary: 'Ten times as many recoveries start in a minute as may.',
    budgetTimes: 10,
  },
  'lost-green': sendsNo('green'),
  'lost-red': sendsNo('red'),
  'lost-yellow': sendsNo('yellow'),
  'lost-cyan': sendsNo('cyan'),
  'lost-gray': sendsNo('gray'),
  'no-recovery-starts': {
    summary: 'No recovery is ever started.',
    engine: ({ ledger }) =>
      replace(
        ledger,
        'startDue',
        (startDue) => (now, guard, room) => startDue(now, guard, { ...room, interventions: 0 }),
      ),
  },
  'stranded-behind-target': {
    summary: 'A recovery that has waited for a busy target waits for ever.',
    engine: ({ ledger }) => {
      const stranded = new Set<string>()
      replace(ledger, 'startDue', (startDue) => (now, guard, room) => {
        const asked: string[] = []
        const holdOf = (monitorId: string) => {
          asked.push(monitorId)
          return stranded.has(monitorId) ? 'ancestor' : guard.holdOf(monitorId)
        }
        const decision = startDue(now, { ...guard, holdOf }, room)
        for (const monitorId of asked) if (waitsForTarget(ledger, monitorId, now)) stranded.add(monitorId)
        return decision
      })
    },
  },
  'one-at-a-time-ignored': {
    summary: 'Recoveries of one target run at the same time.',
    engine: ({ ledger }) =>
      replace(
        ledger,
        'startDue',
        (startDue) => (now, guard, room) =>
          startDue(now, { ...guard, targetOf: (monitorId) => monitorId }, room),
      ),
  },
  'recovery-distrusted': {
    summary: 'A recovery that was accepted is taken for rejected.',
    engine: withOutcome((outcome) =>
      outcome.kind === 'accepted' ? { kind: 'rejected', reason: 'no' } : outcome,
    ),
  },
  'unknown-taken-for-rejected': {
    summary: 'An answer that was lost is taken for a refusal.',
    engine: withOutcome((outcome) =>
      outcome.kind === 'unknown' ? { kind: 'rejected', reason: outcome.reason } : outcome,
    ),
  },
  'no-retry': {
    summary: 'What was rejected for now is not tried again.',
    engine: withOutcome((outcome) =>
      outcome.kind === 'retry' ? { kind: 'rejected', reason: outcome.reason } : outcome,
    ),
  },
  'ailing-unnoticed': {
    summary: 'Rejections are taken for nothing that was sent.',
    engine: withOutcome((outcome) =>
      outcome.kind === 'retry' ? { kind: 'not-sent', reason: outcome.reason } : outcome,
    ),
  },
  'retry-after-ignored': {
    summary: 'The wait that a provider names is not kept.',
    engine: withOutcome((outcome) => (outcome.kind === 'retry' ? { ...outcome, retryAfterMs: 0 } : outcome)),
  },
  'dead-revived': {
    summary: 'A destination that is gone is tried again and again.',
    engine: withOutcome((outcome) =>
      outcome.kind === 'gone' ? { kind: 'rejected', reason: outcome.reason } : outcome,
    ),
  },
  'digests-withheld': {
    summary: 'An incident without a notification stays untold.',
    engine: withDestinations((destination) => ({ ...destination, keepsAlerts: true })),
  },
  'too-many-in-flight': {
    summary: 'A destination gets as many deliveries at a time as there are.',
    engine: withDestinations((destination) => ({ ...destination, maxInFlight: 1_000 })),
  },
  'cooldown-ignored': {
    summary: 'Nothing waits for the cooldown.',
    engine: withSettings({ cooldownMs: 0 }),
  },
  'green-waits': {
    summary: 'Green waits for the cooldown.',
    engine: withSettings({ greenBypassesCooldown: false }),
  },
  'green-to-strangers': {
    summary: 'A green goes also where nothing of the episode was told.',
    engine: ({ ledger }) =>
      replace(ledger, 'apply', (apply) => (one, now) => {
        const isEnd = one.step.effects.some((effect) => isNotify(effect, 'green'))
        const destinationsOf = (color: Color) =>
          isEnd && color !== 'green' && color !== 'gray' ? [] : one.destinationsOf(color)
        return apply({ ...one, destinationsOf }, now)
      }),
  },
  'old-green-kept': {
    summary: 'A new episode lets the green of the last one go out.',
    engine: ({ ledger }) =>
      withEffects(ledger, (effect) => (effect.kind === 'episode-began' ? [] : [effect])),
  },
  'recovery-goes-on': {
    summary: 'A recovery that is queued is not cancelled when the monitor is well again.',
    engine: ({ ledger }) =>
      withEffects(ledger, (effect) => (effect.kind === 'cancel-interventions' ? [] : [effect])),
  },
}

type Ledger = EngineParts['ledger']

function isNotify(effect: Effect, color: Color): boolean {
  return effect.kind === 'notify' && effect.color === color
}

function withEffects(ledger: Ledger, change: (effect: Effect) => Effect[]): void {
  replace(
    ledger,
    'apply',
    (apply) => (one, now) =>
      apply({ ...one, step: { ...one.step, effects: one.step.effects.flatMap(change) } }, now),
  )
}

function withOutcome(change: (outcome: ActionOutcome) => ActionOutcome): NonNullable<Defect['engine']> {
  return ({ ledger }) =>
    replace(ledger, 'ended', (ended) => (actionId, outcome, now) => ended(actionId, change(outcome), now))
}

type Destination = Parameters<Ledger['reconfigure']>[0] extends Iterable<infer One> ? One : never

function withDestinations(change: (destination: Destination) => Destination): NonNullable<Defect['engine']> {
  return ({ ledger }) =>
    replace(
      ledger,
      'reconfigure',
      (reconfigure) => (destinations, settings, now) =>
        reconfigure(Array.from(destinations, change), settings, now),
    )
}

function withSettings(changed: Partial<Parameters<Ledger['reconfigure']>[1]>): NonNullable<Defect['engine']> {
  return ({ ledger }) =>
    replace(
      ledger,
      'reconfigure',
      (reconfigure) => (destinations, settings, now) =>
        reconfigure(destinations, { ...settings, ...changed }, now),
    )
}

function waitsForTarget({ view }: Ledger, monitorId: string, now: number): boolean {
  return view.openActionsOf(monitorId).some(({ id }) => view.waitOf(id, now) === 'target_busy')
}
