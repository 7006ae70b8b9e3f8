// explaining/explain-action.ts: why a recovery or a notification was queued, what it waits for and how it ended: from its
// record, which names the rule that decided each.
import { v2 } from '@pulseward/contract'
import { waitWords } from '@pulseward/contract/v1/words'
import type { Action } from '../deciding/actions/action.ts'
import type { WaitReason } from '../deciding/actions/action-queues.ts'
import { timestamp } from '../platform/wire.ts'
import { causeOf, fateOf, titleOf } from './action-words.ts'
import { comingOfAction } from './coming.ts'
import {
  clauseOf,
  comingChanges,
  decided,
  notApplicable,
  passed,
  type Rule,
  sentence,
  type Teller,
  unrecorded,
} from './explained.ts'
import { ruleOfReason } from './rule-of-reason.ts'

export interface ActionFacts extends Teller {
  readonly action: Action
  /** Why it waits; null unless it is queued. */
  readonly wait: WaitReason | null
  /** Whether it holds back the next recovery of its monitor. */
  readonly isHeld: boolean
}

export function explainAction(facts: ActionFacts): v2.DecisionExplanation {
  const { action, at, isHeld, wait } = facts
  const { id, monitorId, incidentId } = action
  return {
    kind: 'Action',
    id,
    at: timestamp(at),
    summary: sentence(`${titleOf(action, facts)} ${fateOf(action, facts)}`, causeOf(action, facts)),
    ...(monitorId === null ? {} : { monitorID: monitorId }),
    ...(incidentId === null ? {} : { incidentID: incidentId }),
    rules: v2.explainedRules.flatMap((rule) => rulesOf(rule, facts)),
    next: comingChanges(comingOfAction(action, wait, isHeld, facts)),
  }
}

/** What the record says of a rule: that it queued the action, held it back, or ended it. Otherwise the rule was passed. */
function rulesOf(rule: Rule, facts: ActionFacts): v2.ExplainedRule[] {
  const said = [queuedBy(rule, facts), heldBy(rule, facts), endedBy(rule, facts)].filter(
    (one) => one !== null,
  )
  return said.length > 0 ? said : [otherwise(rule, facts)]
}

function queuedBy(rule: Rule, facts: ActionFacts): v2.ExplainedRule | null {
  const { because, queuedAt, attempt } = facts.action
  const own = because === null ? 'threshold' : ruleOfReason(because)
  if (own !== rule) return null
  const what = attempt === 1 ? 'It was queued' : `This is attempt ${attempt}, and it was queued`
  const why = clauseOf(because, facts) ?? unrecorded
  return decided(rule, sentence(`${what} at ${timestamp(queuedAt)}`, why), because)
}

function heldBy(rule: Rule, facts: ActionFacts): v2.ExplainedRule | null {
  const { action, wait } = facts
  const { delay, notBefore, state } = action
  if (delay !== undefined && ruleOfReason(delay) === rule)
    return decided(
      rule,
      sentence(`It could start from ${timestamp(notBefore)} on`, clauseOf(delay, facts)),
      delay,
    )
  if (state !== 'queued' || wait === null || ruleOfWait[wait] !== rule) return null
  return decided(rule, sentence('It waits', waitWords[wait]))
}

const ruleOfWait: Readonly<Record<WaitReason, Rule | null>> = {
  room: null,
  cooldown: 'cooldown',
  retry: 'pacing',
  paged_recently: 'pacing',
  pacing: 'pacing',
  maintenance: 'maintenance',
  ancestor: 'dependency',
  held: 'own_fault',
  budget: 'recovery',
  target_busy: 'recovery',
  ailing_destination: 'destination',
}

function endedBy(rule: Rule, facts: ActionFacts): v2.ExplainedRule | null {
  const { action } = facts
  const { endedBecause, state } = action
  if (state === 'queued') return null
  const own = endedBecause === undefined ? 'delivery' : ruleOfReason(endedBecause)
  return own === rule ? decided(rule, sentence(`It ${fateOf(action, facts)}`), endedBecause ?? null) : null
}

function otherwise(rule: Rule, { action }: ActionFacts): v2.ExplainedRule {
  const { kind, monitorId, page, state } = action
  const isOfMonitor = monitorId !== null
  const of = (verdict: 'passed' | 'not_applicable', text: string) =>
    verdict === 'passed' ? passed(rule, text) : notApplicable(rule, text)
  switch (rule) {
    case 'enabled':
    case 'snooze':
    case 'maintenance':
    case 'dependency':
    case 'own_fault':
      return isOfMonitor
        ? of('passed', 'It stood in the way of nothing.')
        : of('not_applicable', 'The message is not about a single monitor.')
    case 'locations':
      return of('not_applicable', 'No location decided it; the reason of a check names places that failed.')
    case 'threshold':
      return of('not_applicable', 'No threshold decided it.')
    case 'recovery':
      return of('not_applicable', kind === 'intervention' ? 'It is the recovery.' : 'No recovery decided it.')
    case 'acknowledgement':
      return action.acknowledgedBy === null
        ? of('passed', 'Nobody had acknowledged the incident.')
        : of('passed', `${action.acknowledgedBy} had acknowledged the incident: the message says so.`)
    case 'policy':
      return of(
        page === undefined ? 'not_applicable' : 'passed',
        page === undefined ? 'It is not of a policy.' : `It is of the policy ${page.policy}.`,
      )
    case 'routes':
      if (kind === 'intervention') return of('not_applicable', 'A recovery is not routed.')
      return page === undefined
        ? of('passed', `${action.endpoint} was named for it.`)
        : of('not_applicable', 'Its policy names whom it tells.')
    case 'cooldown':
      return of('passed', 'No cooldown held it back.')
    case 'quiet_hours':
      return page === undefined
        ? of('not_applicable', 'Quiet hours are those of people whom a policy tells.')
        : of('passed', 'No quiet hours held it back.')
    case 'pacing':
      return of('passed', 'It did not wait for another message or attempt.')
    case 'destination':
      return kind === 'intervention'
        ? of('not_applicable', 'A recovery has no destination.')
        : of('passed', 'The condition of its destination did not hold it back.')
    case 'delivery':
      return state === 'queued'
        ? of('not_applicable', 'It has not been sent yet.')
        : of('not_applicable', 'It was not sent.')
  }
}
