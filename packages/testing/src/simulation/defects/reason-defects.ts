// simulation/defects/reason-defects.ts: right decisions that are recorded with wrong reasons.
import type { Decision } from '@pulseward/server/internal/deciding/decision.ts'
import type { Because } from '@pulseward/server/internal/deciding/health/because.ts'
import { type Defect, type Defects, replace } from './defect.ts'

export const reasonDefects: Defects = {
  'reason-of-another-threshold': {
    summary: 'The reason of an incident names a threshold that is one too high.',
    engine: withReasons((because) =>
      because.kind === 'threshold' ? { ...because, threshold: because.threshold + 1 } : because,
    ),
  },
  'reason-of-another-check': {
    summary: 'The reason of an incident has the words of another check.',
    engine: withReasons((because) =>
      because.kind === 'threshold' && because.failure !== undefined
        ? { ...because, failure: 'another answer' }
        : because,
    ),
  },
  'reason-of-another-ancestor': {
    summary: 'The reason of a suppression names the monitor itself.',
    engine: withReasons((because, monitorId) =>
      because.kind === 'ancestor' ? { ...because, ancestor: monitorId ?? '' } : because,
    ),
  },
  'cooldown-unsaid': {
    summary: 'A notification that waits for its cooldown does not say so.',
    engine: withDecisions((decision) => ({
      ...decision,
      actions: decision.actions.map(({ delay, ...action }) =>
        delay === undefined || delay.kind === 'cooldown' ? action : { ...action, delay },
      ),
    })),
  },
  'reasons-forgotten': {
    summary: 'A withdrawn action does not say why.',
    engine: withDecisions((decision) => ({
      ...decision,
      events: decision.events.map((placed) =>
        placed.event.type === 'action_cancelled'
          ? { ...placed, event: { ...placed.event, because: null } }
          : placed,
      ),
    })),
  },
}

function withReasons(change: (because: Because, monitorId: string | null) => Because) {
  return withDecisions((decision) => ({
    ...decision,
    events: decision.events.map(({ row, event }) => {
      const { because, monitorId } = event
      return { row, event: because === null ? event : { ...event, because: change(because, monitorId) } }
    }),
  }))
}

function withDecisions(change: (decision: Decision) => Decision): NonNullable<Defect['engine']> {
  return ({ decider }) => replace(decider, 'decide', (decide) => (input, now) => change(decide(input, now)))
}
