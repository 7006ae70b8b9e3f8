// simulation/oracle/explanation-rules.ts: explain names, for every action, the reasons that the log has of it, which are those of
// the model (reason-rules.ts), under a rule that decided; and for every incident of which a
// destination was not told by its red, why.
import type { v2 } from '@pulseward/contract'
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import type { RecordedBecause } from '@pulseward/server/internal/deciding/health/because.ts'
import { explainAction } from '@pulseward/server/internal/explaining/explain-action.ts'
import { explainIncident } from '@pulseward/server/internal/explaining/explain-incident.ts'
import type { ExplanationsOptions } from '@pulseward/server/internal/explaining/explanations.ts'
import { becauseV2 } from '@pulseward/server/internal/projection/because-view.ts'
import type { Random } from '../../random.ts'
import { count, type Tally } from '../tally.ts'
import type { Findings } from './findings.ts'
import type { LogRules } from './log-rules.ts'

export type ExplainedStore = ExplanationsOptions['store']

/** Each costs a read of the store. */
const actionsExplained = 300

export interface ExplanationRulesOptions {
  readonly findings: Findings
  readonly log: LogRules
  readonly tally: Tally
  /** A stream of its own: the other rules draw as if nobody asked why. */
  readonly random: Random
  readonly store: () => ExplainedStore
  /** A planted defect: what is explained in place of this. */
  readonly change: (explanation: v2.DecisionExplanation) => v2.DecisionExplanation
}

export class ExplanationRules {
  readonly #options: ExplanationRulesOptions

  constructor(options: ExplanationRulesOptions) {
    this.#options = options
  }

  /** Asks why after everything else: it interferes with nothing. */
  async judge(atMs: number): Promise<void> {
    const { log, random, store } = this.#options
    const ends = endsOf(log)
    const all = [...log.reasons]
    const share = actionsExplained / all.length
    for (const [id, reason] of all) {
      if (share < 1 && !random.chance(share)) continue
      const action = await store().readAction(id)
      if (action === null) this.#note(id, 'is not kept')
      else {
        this.#judgeAction(action, atMs, [reason, ends.get(id) ?? null])
        if (isUndelivered(action)) await this.#judgeUntold(action, atMs)
      }
    }
  }

  #judgeAction(action: Action, at: number, reasons: readonly RecordedBecause[]): void {
    const { change, tally } = this.#options
    const explanation = change(explainAction({ action, at, names, wait: null, isHeld: false }))
    count(tally.compared, 'explanations')
    if (explanation.summary.length < 10 || /undefined|null|NaN/.test(explanation.summary))
      this.#note(action.id, `is explained by ${JSON.stringify(explanation.summary)}`)
    for (const reason of reasons)
      if (reason !== null && !isNamedIn(explanation, reason))
        this.#note(action.id, `is explained without ${JSON.stringify(reason)}`)
  }

  async #judgeUntold(action: Action, at: number): Promise<void> {
    const { change, store, tally } = this.#options
    const incident = await store().readIncident(action.incidentId ?? '')
    if (incident === null) return this.#note(action.id, 'is untold, and its incident is not kept')
    const explanation = change(explainIncident({ incident, actions: [action], present: null, at, names }))
    count(tally.compared, 'explained untold incidents')
    const reason = action.endedBecause ?? action.because
    if (reason !== null && !isNamedIn(explanation, reason))
      this.#note(
        action.id,
        `left ${incident.id} untold, which is explained without ${JSON.stringify(reason)}`,
      )
  }

  #note(actionId: string, words: string): void {
    this.#options.findings.note('explanations', `the action ${actionId} ${words}`)
  }
}

/** A red that its destination did not get, or may not have got: until a green or a digest its incident is untold there. */
function isUndelivered({ color, incidentId, state }: Action): boolean {
  const isUnheard = state === 'failed' || state === 'cancelled' || state === 'unknown'
  return color === 'red' && incidentId !== null && isUnheard
}

const names = (id: string) => id

/** Whether a rule that decided has this reason. */
function isNamedIn({ rules }: v2.DecisionExplanation, reason: RecordedBecause): boolean {
  const expected = JSON.stringify(becauseV2(reason))
  return rules.some(({ because, verdict }) => verdict === 'decided' && JSON.stringify(because) === expected)
}

const ended = /^action_(cancelled|failed|unknown)$/

/** Why each action ended, by the log. */
function endsOf({ events }: LogRules): ReadonlyMap<string, RecordedBecause> {
  const ends = new Map<string, RecordedBecause>()
  for (const { actionId, because, type } of events)
    if (actionId !== null && ended.test(type)) ends.set(actionId, because)
  return ends
}
