// simulation/defects.ts: what the oracle must notice. Each defect breaks one promise of the service on purpose, from
// outside: a disk that lies, a takeover that is told something else, a part whose answer is changed.
import type { Controller } from '@pulseward/server/internal/controller/controller.ts'
import { clear } from '@pulseward/server/internal/health/ancestors.ts'
import type { Effect } from '@pulseward/server/internal/health/step.ts'
import type { Recovered } from '@pulseward/server/internal/store/store.ts'
import type { CallFaults } from './run-providers.ts'
import type { DiskFaults } from './simulated-disk.ts'

export interface Defect {
  readonly summary: string
  /** The rule by which it is noticed. */
  readonly breaks: string
  readonly disk?: DiskFaults
  readonly calls?: CallFaults
  /** The recovery budget is this many times what people asked for. */
  readonly budgetTimes?: number
  /** A page of the log ends where the log does, not where it was when the reading began. */
  readonly readsOn?: boolean
  readonly recovered?: (recovered: Recovered) => Recovered
  readonly controller?: (controller: Controller) => void
}

export const defects: Readonly<Record<string, Defect>> = {
  'effect-before-commit': {
    summary: 'The disk says that a batch is on it before it is, so that providers are called too early.',
    breaks: '1 commit before effect',
    disk: { acknowledgesEarly: true },
  },
  'position-falls': {
    summary: 'A restart finds less of the log than was acknowledged.',
    breaks: '5 position',
    recovered: (recovered) => ({ ...recovered, position: Math.max(0, recovered.position - 5) }),
  },
  'double-start': {
    summary: 'The stage around the drivers calls a provider twice for one action.',
    breaks: '2 started once',
    calls: { callsTwice: true },
  },
  'replayed-unknown': {
    summary: 'Actions that were under way in a crash are queued again.',
    breaks: '3 unknown',
    recovered: (recovered) => ({
      ...recovered,
      actions: recovered.actions.map((action) =>
        action.state === 'started' ? { ...action, state: 'queued', startedAt: null } : action,
      ),
    }),
  },
  'lost-green': {
    summary: 'The ledger does not hear that a monitor has recovered.',
    breaks: 'nothing is swallowed',
    controller: ({ ledger }) =>
      replace(ledger, 'apply', (apply) => (one, now) => {
        const effects = one.step.effects.filter(
          (effect) => effect.kind !== 'notify' || effect.color !== 'green',
        )
        return apply({ ...one, step: { ...one.step, effects } }, now)
      }),
  },
  'broken-alternation': {
    summary: 'The opening of an incident is written down twice.',
    breaks: '4 alternate',
    controller: ({ journal }) =>
      replace(journal, 'addEvent', (addEvent) => (event) => {
        addEvent(event)
        if (event.type === 'incident_opened') addEvent(event)
      }),
  },
  'early-check': {
    summary: 'The schedule is two seconds ahead of its time.',
    breaks: '7 checks on time',
    controller: ({ flow: { scheduler } }) =>
      replace(scheduler, 'advance', (advance) => (nowMs, wallMs) => advance(nowMs + 2_000, wallMs + 2_000)),
  },
  'burst-after-pause': {
    summary: 'A stall is not noticed, and the slots that it swallowed are made up for.',
    breaks: '7 checks on time',
    controller: ({ flow: { scheduler } }) =>
      replace(scheduler, 'advance', (advance) => (nowMs, wallMs) => {
        scheduler.resume(nowMs)
        advance(nowMs, wallMs)
      }),
  },
  'secret-in-event': {
    summary: 'What a provider says is written down as it is, with the secret that it quotes.',
    breaks: '9 secrets',
    calls: { keepsSecrets: true },
  },
  'second-recovery': {
    summary: 'Every episode queues its recovery twice.',
    breaks: 'one recovery an episode',
    controller: ({ ledger }) =>
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
    breaks: 'quiet in maintenance',
    controller: ({ ledger }) =>
      replace(ledger, 'apply', (apply) => (one, now) => {
        const state = { ...one.step.state, maintenance: null }
        return apply({ ...one, step: { ...one.step, state } }, now)
      }),
  },
  'deaf-to-parents': {
    summary: 'What a monitor depends on is always taken to be well.',
    breaks: 'dependencies',
    controller: ({ dependencies }) => replace(dependencies, 'ancestorsOf', () => () => clear),
  },
  'old-evidence': {
    summary: 'After a restart a red or a recovery starts on what the last run has seen.',
    breaks: 'evidence of this run',
    controller: ({ ledger }) => {
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
    breaks: 'recovery budget',
    budgetTimes: 10,
  },
  'falling-counters': {
    summary: 'A restart begins to count anew.',
    breaks: 'counters',
    recovered: (recovered) => ({ ...recovered, blocks: [] }),
  },
  'reused-numbers': {
    summary: 'A restart forgets which numbers were given to monitors that left.',
    breaks: 'numbers',
    recovered: (recovered) => ({
      ...recovered,
      highestNumericId: -1,
      identities: onlyPresent(recovered.identities),
    }),
  },
  'forgotten-state': {
    summary: 'The health of monitors is not written down.',
    breaks: '10 replay',
    controller: ({ journal }) => replace(journal, 'keepState', () => () => {}),
  },
  'healthy-when-failing': {
    summary: 'A monitor whose check has failed is shown as up.',
    breaks: '6 never shown healthy',
    controller: ({ keeper }) =>
      replace(
        keeper,
        'applyBatch',
        (applyBatch) => (batch, ended) =>
          applyBatch({ ...batch, verdicts: batch.verdicts.map(() => 0) }, ended),
      ),
  },
  'torn-pages': {
    summary: 'A reading of several pages sees what was committed after its first page.',
    breaks: '8 pagination',
    readsOn: true,
  },
}

type Method = (...values: never[]) => unknown

function replace<Part extends object, Name extends keyof Part>(
  part: Part,
  name: Name,
  change: (method: Part[Name] & Method) => Part[Name],
): void {
  const method = part[name] as Part[Name] & Method
  part[name] = change(method.bind(part) as Part[Name] & Method)
}

async function* onlyPresent(identities: Recovered['identities']): Recovered['identities'] {
  for await (const chunk of identities) yield chunk.filter(({ removedAt }) => removedAt === null)
}
