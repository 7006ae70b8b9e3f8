// explaining/monitor-words.ts: the first sentence about a monitor: what is the matter and why, or what a destination heard.

import { statusOf, statusReason } from '../deciding/health/status.ts'
import { timestamp } from '../platform/wire.ts'
import { causeOf, fateOf, titleOf } from './action-words.ts'
import { policyNameOf } from './configured.ts'
import { clauseOf, sentence, unrecorded } from './explained.ts'
import type { AncestorFacts, IncidentFacts, MonitorFacts } from './monitor-facts.ts'
import { isNamed } from './route-rules.ts'

/** What a destination heard of what is the matter, or why it heard nothing. */
export function heardSentence(facts: MonitorFacts, endpoint: string): string {
  const { actions, configured, health, id, names } = facts
  const last = actions.find((action) => action.endpoint === endpoint)
  if (last !== undefined)
    return sentence(`${titleOf(last, facts)} ${fateOf(last, facts)}`, causeOf(last, facts))
  const name = names(id)
  if (health.episode === null && obstacleOf(facts) === null)
    return sentence(`Nothing of ${name} was to be told to ${endpoint}`, 'it is not failing')
  if (!isNamed(configured, endpoint)) {
    const policy = policyNameOf(configured)
    return policy === null
      ? sentence(
          `No red of ${name} goes to ${endpoint}`,
          'the monitor, the default and the routes do not name it',
        )
      : sentence(
          `No red of ${name} went to ${endpoint}`,
          `no rule names it, and the policy ${policy} has not reached it`,
        )
  }
  return sentence(`No red of ${name} went to ${endpoint}`, whyNot(facts))
}

/** What holds an incident or its messages back, in the order of the rules; null if nothing does. */
export function obstacleOf(facts: MonitorFacts): string | null {
  const { ancestor, configured, names, snoozedUntilMs, window } = facts
  if (!configured.monitor.enabled) return 'it is disabled'
  if (snoozedUntilMs !== null) return `it is snoozed until ${timestamp(snoozedUntilMs)}`
  if (window.active) return `it is in ${windowName(window.name)} until ${timestamp(window.untilMs)}`
  if (ancestor.kind === 'in-trouble')
    return `${names(ancestor.by)}, on which it depends, ${troubleWords(ancestor)}`
  if (ancestor.kind === 'not-checked') return 'what it depends on has not been checked since it began to fail'
  return null
}

export function troubleWords({ since }: Extract<AncestorFacts, { kind: 'in-trouble' }>): string {
  return since === null ? 'is in trouble' : `is down since ${timestamp(since)}`
}

export function windowName(name: string | undefined): string {
  return name === undefined ? 'maintenance' : `the maintenance ${name}`
}

/** What is the matter, or that nothing is. */
export function stateSentence(facts: MonitorFacts): string {
  const { health, id, incident, names } = facts
  const name = names(id)
  const why = whyNow(facts)
  switch (statusOf(health)) {
    case 'disabled':
      return sentence(`${name} is not checked`, why)
    case 'unknown':
      return sentence(`Nothing is known of ${name}`, why)
    case 'up':
      return sentence(`${name} is up`, why)
    case 'degraded':
      return sentence(`${name} is up and warns`, why)
    case 'down':
      return sentence(`${name} fails, and no incident is open`, why)
    case 'incident':
    case 'verifying':
      return incident === null
        ? sentence(`${name} fails, and no incident is open`, why)
        : openSentence(facts, incident)
  }
}

/** Of an episode that counts, the obstacle; otherwise what the status says. */
function whyNow(facts: MonitorFacts): string | null {
  const { health, rules } = facts
  const { episode } = health
  const isHeld = episode === null || (episode.incident === null && episode.verification === null)
  const isWatched = health.lifecycle === 'enabled' && facts.snoozedUntilMs === null
  const obstacle = !isWatched || (isHeld && episode !== null) ? obstacleOf(facts) : null
  return obstacle ?? statusReason(health, rules)?.replace(/^\w+: /, '') ?? null
}

function openSentence(facts: MonitorFacts, { openedAt, because }: IncidentFacts): string {
  const { id, names } = facts
  const since = openedAt === null ? '' : ` since ${timestamp(openedAt)}`
  return sentence(`The incident of ${names(id)} is open${since}`, clauseOf(because, facts) ?? unrecorded)
}

/** Why a destination that is named for red was sent none. */
function whyNot(facts: MonitorFacts): string {
  const { incident } = facts
  if (incident?.isDismissed) return 'the incident was dismissed'
  const obstacle = obstacleOf(facts)
  if (obstacle !== null) return obstacle
  if (incident !== null) return 'its red is no longer kept'
  return whyNow(facts) ?? 'no incident is open'
}
