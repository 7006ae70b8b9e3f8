// explaining/told-rules.ts: what held messages of a monitor back and what became of them: cooldown, quiet hours, pacing, the
// condition of the destinations, delivery.

import type { v2 } from '@pulseward/contract'
import type { Action } from '../deciding/actions/action.ts'
import type { DestinationView } from '../deciding/actions/destination.ts'
import { timestamp } from '../platform/wire.ts'
import { fateOf, titleOf } from './action-words.ts'
import { redAudienceOf } from './configured.ts'
import { clauseOf, decided, listWords, notApplicable, passed, sentence } from './explained.ts'
import type { MonitorFacts } from './monitor-facts.ts'
import { ruleOfReason } from './rule-of-reason.ts'

export function toldRules(facts: MonitorFacts): v2.ExplainedRule[] {
  const last = lastMessages(facts)
  return [
    ...delayRules('cooldown', last, facts, 'No message is held back by a cooldown.'),
    ...quietRules(facts),
    ...delayRules('pacing', last, facts, 'No message waits for another one or for another attempt.'),
    ...destinationRules(facts),
    ...deliveryRules(last, facts),
  ]
}

/** The last of each color to each destination that is asked about, and the last recovery. */
function lastMessages({ actions, endpoint }: MonitorFacts): Action[] {
  const last = new Map<string, Action>()
  for (const action of actions) {
    const key = `${action.kind} ${action.color} ${action.endpoint}`
    if (!last.has(key) && (endpoint === null || action.endpoint === endpoint)) last.set(key, action)
  }
  return [...last.values()].toReversed()
}

function delayRules(
  rule: 'cooldown' | 'pacing',
  last: readonly Action[],
  facts: MonitorFacts,
  otherwise: string,
): v2.ExplainedRule[] {
  if (last.length === 0) return [notApplicable(rule, 'Nothing was to be sent.')]
  const delayed = last.flatMap((action) => {
    const { delay, notBefore, state } = action
    if (state !== 'queued' || delay === undefined || ruleOfReason(delay) !== rule) return []
    const wait = `${titleOf(action, facts)} waits until ${timestamp(notBefore)}`
    return [decided(rule, sentence(wait, clauseOf(delay, facts)), delay)]
  })
  return delayed.length > 0 ? delayed : [passed(rule, otherwise)]
}

function quietRules({ page }: MonitorFacts): v2.ExplainedRule[] {
  if (page === null) return [notApplicable('quiet_hours', 'No page of a policy is about it.')]
  if (page.held.length === 0)
    return [passed('quiet_hours', 'Nobody whom its policy tells has quiet hours now.')]
  return page.held.map(({ personRef, until }) =>
    decided('quiet_hours', `${personRef} has quiet hours, and is told at ${timestamp(Date.parse(until))}.`),
  )
}

function destinationRules({ actions, configured, destinations, endpoint }: MonitorFacts): v2.ExplainedRule[] {
  const named = redAudienceOf(configured).map(({ destination }) => destination)
  const asked = endpoint === null ? named : [endpoint]
  const views = destinations.filter(({ name }) => asked.includes(name))
  if (views.length === 0) return [notApplicable('destination', 'There is no destination to ask about.')]
  const troubled = views.filter(({ state }) => state !== 'ok')
  if (troubled.length > 0)
    return troubled.map((view) => {
      const isWaiting = actions.some((action) => action.state === 'queued' && action.endpoint === view.name)
      const rule = isWaiting || view.state === 'dead' ? decided : passed
      return rule('destination', conditionWords(view))
    })
  const words = listWords(views.map(({ name }) => name))
  return [
    passed(
      'destination',
      `${views.length === 1 ? 'The destination' : 'The destinations'} ${words} ${views.length === 1 ? 'takes' : 'take'} messages.`,
    ),
  ]
}

function conditionWords({ name, state, since, reason, until }: DestinationView): string {
  const from = since === null ? '' : ` since ${timestamp(since)}`
  const again = until === null ? '' : `; it is tried again at ${timestamp(until)}`
  const states = {
    ok: 'takes messages',
    limited: `has asked to wait${from}`,
    ailing: `has not taken messages${from}`,
    dead: `is gone${from}: nothing is sent to it until its configuration changes`,
  } as const
  return sentence(`The destination ${name} ${states[state]}${again}`, reason)
}

function deliveryRules(last: readonly Action[], facts: MonitorFacts): v2.ExplainedRule[] {
  if (last.length === 0) return [notApplicable('delivery', 'Nothing was sent of it.')]
  return last.map((action) => {
    const untold = action.untold === null ? '' : '; the green or a digest reports its incident'
    const text = sentence(`${titleOf(action, facts)} ${fateOf(action, facts)}${untold}`)
    return decided('delivery', text, action.endedBecause ?? action.because)
  })
}
