// explaining/past-rules.ts: the rules of a monitor at an earlier moment, each with what it compared configured: by the log, and by the
// configuration of that time. A rule whose configuration is not recorded says so.
import type { v2 } from '@pulseward/contract'
import type { Action } from '../deciding/actions/action.ts'
import { type WindowState, windowAt } from '../deciding/maintenance-windows.ts'
import type { MonitorForm } from '../fleet/monitor-form.ts'
import { timestamp } from '../platform/wire.ts'
import { fateOf, titleOf } from './action-words.ts'
import { policyNameOf } from './configured.ts'
import {
  type ConfiguredThen,
  comparedThen,
  isUnrecorded,
  isUnrecordedThen,
  type Unrecorded,
} from './configured-then.ts'
import {
  clauseOf,
  decided,
  notApplicable,
  passed,
  sentence,
  spanWords,
  type Teller,
  unrecorded,
} from './explained.ts'
import { windowName } from './monitor-words.ts'
import type { Past } from './past.ts'
import { routeRules } from './route-rules.ts'

export interface PastFacts extends Teller {
  readonly id: string
  readonly past: Past
  readonly configured: ConfiguredThen
  readonly endpoint: string | null
}

export function rulesThen(facts: PastFacts): v2.ExplainedRule[] {
  return [
    enabledRule(facts),
    snoozeRule(facts),
    maintenanceRule(facts),
    dependencyRule(facts),
    notApplicable('own_fault', 'Which single checks Pulseward could not make is not kept.'),
    notApplicable('locations', 'What single locations said is not kept.'),
    thresholdRule(facts),
    ...fates('recovery', 'intervention', facts),
    policyRule(facts),
    ...routes(facts),
    ...destinationRules(facts),
    ...fates('delivery', 'code', facts),
  ]
}

/** What held an incident or its messages back, in the order of the rules; null if nothing did. */
export function obstacleThen(facts: PastFacts): string | null {
  const { names, past, configured } = facts
  const { ancestor, snoozedUntilMs } = past
  if (configured.monitor === 'none') return 'it was not in the fleet'
  if (formThen(configured)?.enabled === false) return 'it was disabled'
  if (snoozedUntilMs !== null) return `it was snoozed until ${timestamp(snoozedUntilMs)}`
  const window = windowThen(facts)
  if (window?.active === true)
    return `it was in ${windowName(window.name)} until ${timestamp(window.untilMs)}`
  if (ancestor === null) return null
  const { from, id, to } = ancestor
  const when = to === null ? `since ${timestamp(from)}` : spanWords(from, to)
  return `${names(id)}, on which it depends, was down ${when}`
}

/** Null if it was not in the fleet, or is not known. */
function formThen({ monitor }: ConfiguredThen): MonitorForm | null {
  return monitor === 'none' || isUnrecorded(monitor) ? null : monitor
}

function windowThen({ at, configured }: PastFacts): WindowState | null {
  const form = formThen(configured)
  return form === null || form.maintenance.length === 0 ? null : windowAt(form.maintenance, at)
}

/** Why something of the configuration is not known; null if it is. */
function notKnown({ monitor, unrecorded: description }: ConfiguredThen): string | null {
  if (monitor === 'none') return 'It was not in the fleet.'
  const why = isUnrecorded(monitor) ? monitor : null
  return why === null ? (description === null ? null : unrecordedWords(description)) : unrecordedWords(why)
}

function unrecordedWords({ why, until }: Unrecorded): string {
  switch (why) {
    case 'began':
      return `Its configuration of that time is not kept: changes are recorded since ${timestamp(until)}.`
    case 'unseen':
      return `Its configuration of that time is not kept: it changed while no service ran, before ${timestamp(until)}.`
    case 'behind':
      return 'A change of the configuration is being recorded: ask again.'
  }
}

function enabledRule({ configured }: PastFacts): v2.ExplainedRule {
  if (configured.monitor === 'none') return decided('enabled', 'It was not in the fleet.')
  const form = formThen(configured)
  if (form === null) return notApplicable('enabled', notKnown(configured)!)
  return form.enabled
    ? passed('enabled', 'It was enabled.')
    : decided('enabled', 'It was disabled: it was not checked, and nothing was sent.')
}

function snoozeRule(facts: PastFacts): v2.ExplainedRule {
  const { snoozedUntilMs } = facts.past
  return snoozedUntilMs === null
    ? passed('snooze', 'It was not snoozed.')
    : decided('snooze', `It was snoozed until ${timestamp(snoozedUntilMs)}.`)
}

function maintenanceRule(facts: PastFacts): v2.ExplainedRule {
  const { past, configured } = facts
  const form = formThen(configured)
  if (form === null) return notApplicable('maintenance', notKnown(configured)!)
  const window = windowThen(facts)
  if (window === null) return notApplicable('maintenance', 'It had no maintenance windows.')
  if (!window.active) return passed('maintenance', 'It was not in maintenance.')
  const text = `It was in ${windowName(window.name)} until ${timestamp(window.untilMs)}`
  return past.incident === null
    ? decided('maintenance', `${text}: no incident could open, and nothing was sent.`)
    : decided('maintenance', `${text}: nothing was sent.`)
}

function dependencyRule({ names, past: { ancestor }, configured }: PastFacts): v2.ExplainedRule {
  if (ancestor !== null) {
    const { from, id, to } = ancestor
    const when = to === null ? `since ${timestamp(from)}` : spanWords(from, to)
    const text = `${names(id)}, on which it depends, was down ${when}.`
    return decided('dependency', text, { kind: 'ancestor', ancestor: names(id) })
  }
  return formThen(configured)?.dependsOn.length === 0
    ? notApplicable('dependency', 'It depended on no other monitor.')
    : passed('dependency', 'No incident was suppressed by what it depends on.')
}

function thresholdRule(facts: PastFacts): v2.ExplainedRule {
  const { incident } = facts.past
  if (incident !== null)
    return decided('threshold', sentence(clauseOf(incident.because, facts) ?? unrecorded), incident.because)
  const form = formThen(facts.configured)
  const threshold = form === null ? '' : ` The threshold was ${form.unhealthyThreshold}.`
  return notApplicable('threshold', `Failed checks that opened no incident are not kept.${threshold}`)
}

function policyRule({ past, configured }: PastFacts): v2.ExplainedRule {
  const page = past.actions.find((action) => action.page !== undefined)?.page
  const compared = comparedThen(configured)
  if (compared === null)
    return page === undefined
      ? notApplicable('policy', notKnown(configured)!)
      : decided('policy', `The policy ${page.policy} had told people.`)
  const policy = page?.policy ?? policyNameOf(compared)
  const { severity = 'critical' } = compared.monitor.notify
  if (policy === null)
    return notApplicable('policy', `Its red was ${severity}; no escalation policy applied to it.`)
  const steps = configured.policies.get(policy)
  const of = steps === undefined ? '' : ` of ${steps === 1 ? '1 step' : `${steps} steps`}`
  const text = `Its red was ${severity}; the policy ${policy}${of} applied`
  return page === undefined
    ? passed('policy', `${text}, and had told nobody about it.`)
    : decided('policy', `${text}, and had told people.`)
}

function routes({ endpoint, configured }: PastFacts): v2.ExplainedRule[] {
  const compared = comparedThen(configured)
  return compared === null
    ? [notApplicable('routes', notKnown(configured)!)]
    : routeRules(compared, endpoint, 'past')
}

/** Only of a destination that is asked about. */
function destinationRules({ endpoint, configured }: PastFacts): v2.ExplainedRule[] {
  if (endpoint === null || isUnrecordedThen(configured)) return []
  const type = configured.endpoints.get(endpoint)
  return type === undefined
    ? [decided('destination', `There was no destination ${endpoint}.`)]
    : [
        notApplicable(
          'destination',
          `The destination ${endpoint} was there (${type}); whether it took messages is not kept.`,
        ),
      ]
}

function fates(rule: 'recovery' | 'delivery', kind: Action['kind'], facts: PastFacts): v2.ExplainedRule[] {
  const own = facts.past.actions.filter((action) => action.kind === kind).toReversed()
  if (own.length === 0) return [notApplicable(rule, nothingOf(kind, facts.configured))]
  return own.map((action) =>
    decided(
      rule,
      sentence(`${titleOf(action, facts)} ${fateOf(action, facts)}`),
      action.endedBecause ?? action.because,
    ),
  )
}

function nothingOf(kind: Action['kind'], configured: ConfiguredThen): string {
  if (kind === 'code') return 'Nothing had been sent of it.'
  return formThen(configured)?.hasRecovery === false ? 'It had no recovery.' : 'No recovery had been tried.'
}
