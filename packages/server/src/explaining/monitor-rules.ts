// explaining/monitor-rules.ts: the rules that say whether an incident of a monitor opens and what is done about it, each with
// what was compared, from enabled to its policy.

import type { v2 } from '@pulseward/contract'
import type { Episode } from '../deciding/health/health.ts'
import { timestamp } from '../platform/wire.ts'
import { policyNameOf } from './configured.ts'
import { clauseOf, decided, listWords, notApplicable, passed, sentence, unrecorded } from './explained.ts'
import type { MonitorFacts } from './monitor-facts.ts'
import { troubleWords, windowName } from './monitor-words.ts'

export function monitorRules(facts: MonitorFacts): v2.ExplainedRule[] {
  return [
    enabledRule(facts),
    snoozeRule(facts),
    maintenanceRule(facts),
    dependencyRule(facts),
    ownFaultRule(facts),
    locationsRule(facts),
    thresholdRule(facts),
    recoveryRule(facts),
    acknowledgementRule(facts),
    policyRule(facts),
  ]
}

function enabledRule({ configured }: MonitorFacts): v2.ExplainedRule {
  return configured.monitor.enabled
    ? passed('enabled', 'The monitor is enabled.')
    : decided('enabled', 'The monitor is disabled: it is not checked, and nothing is sent.')
}

function snoozeRule({ snoozedUntilMs }: MonitorFacts): v2.ExplainedRule {
  return snoozedUntilMs === null
    ? passed('snooze', 'It is not snoozed.')
    : decided(
        'snooze',
        `It is snoozed until ${timestamp(snoozedUntilMs)}: it is not checked, and nothing is sent.`,
      )
}

function maintenanceRule(facts: MonitorFacts): v2.ExplainedRule {
  const { configured, window } = facts
  if (configured.monitor.maintenance.length === 0)
    return notApplicable('maintenance', 'It has no maintenance windows.')
  if (window.active) {
    const text = `It is in ${windowName(window.name)} until ${timestamp(window.untilMs)}: no incident opens, and nothing is sent.`
    return isFailing(facts) ? decided('maintenance', text) : passed('maintenance', text)
  }
  const next = window.nextAtMs === null ? '' : ` The next window begins at ${timestamp(window.nextAtMs)}.`
  return passed('maintenance', `It is not in maintenance.${next}`)
}

function dependencyRule(facts: MonitorFacts): v2.ExplainedRule {
  const { ancestor, incident, names } = facts
  switch (ancestor.kind) {
    case 'none':
      return notApplicable('dependency', 'It depends on no other monitor.')
    case 'clear':
      return passed('dependency', 'Nothing that it depends on is in trouble.')
    case 'not-checked': {
      const text = 'What it depends on has not been checked since it began to fail, and may be the cause.'
      return isFailing(facts) ? decided('dependency', text) : passed('dependency', text)
    }
    case 'in-trouble': {
      const text = `${names(ancestor.by)}, on which it depends, ${troubleWords(ancestor)}: no incident opens meanwhile.`
      return incident === null && isFailing(facts) ? decided('dependency', text) : passed('dependency', text)
    }
  }
}

function locationsRule({ places, health, lastError }: MonitorFacts): v2.ExplainedRule {
  if (places === null) return notApplicable('locations', 'It is checked by this service alone.')
  const { locations, needed } = places
  const where =
    locations.length === 1
      ? `It is checked at ${locations[0]}.`
      : `It is checked at ${listWords(locations)}; a check fails if it fails at ${needed} of these ${locations.length}.`
  return health.lastOutcome === 'own_fault'
    ? decided('locations', `${where} ${sentence('The last check could not decide', lastError)}`)
    : passed('locations', where)
}

function ownFaultRule({ health, places }: MonitorFacts): v2.ExplainedRule {
  return health.lastOutcome === 'own_fault' && places === null
    ? decided('own_fault', 'Pulseward itself could not check: the last check says nothing about the target.')
    : passed('own_fault', 'Pulseward could check.')
}

function thresholdRule(facts: MonitorFacts): v2.ExplainedRule {
  const { configured, health, incident } = facts
  const threshold = `the threshold is ${configured.monitor.unhealthyThreshold}`
  if (incident !== null)
    return decided('threshold', sentence(clauseOf(incident.because, facts) ?? unrecorded), incident.because)
  const { episode, known, warning } = health
  if (episode === null) {
    if (warning !== null) return decided('threshold', sentence('Its checks succeed and warn', warning.text))
    return known
      ? passed('threshold', `No check has failed since it was last healthy; ${threshold}.`)
      : notApplicable('threshold', `No check has said anything yet; ${threshold}.`)
  }
  const { failures, healthyStreak, thresholdReachedAt, verification } = episode
  if (verification !== null)
    return passed('threshold', 'Its checks are counted anew since a recovery was accepted.')
  if (failures === 0) {
    const needed = configured.monitor.healthyThreshold
    return decided(
      'threshold',
      `${healthyStreak} of ${needed} healthy checks in a row have ended its failing so far.`,
    )
  }
  const failed = `${failures === 1 ? '1 check' : `${failures} checks`} in a row failed; ${threshold}.`
  return thresholdReachedAt === null && episode.verification === null
    ? decided('threshold', failed)
    : passed('threshold', failed)
}

function recoveryRule({ configured, health }: MonitorFacts): v2.ExplainedRule {
  if (!configured.monitor.hasRecovery) return notApplicable('recovery', 'It has no recovery.')
  const { episode, hold, intervention } = health
  if (hold !== null)
    return decided('recovery', 'No recovery is started: the outcome of an earlier one is not known.')
  if (episode === null) return notApplicable('recovery', 'There is nothing to recover.')
  if (intervention !== null)
    return decided(
      'recovery',
      intervention.startedAt === null ? 'A recovery is queued.' : 'A recovery is running.',
    )
  if (episode.verification !== null) {
    const { healthy, needed } = episode.verification
    return decided(
      'recovery',
      `A recovery was accepted; ${healthy} of ${needed} healthy checks were seen since.`,
    )
  }
  return passed('recovery', recoveries[episode.recovery])
}

const recoveries: Readonly<Record<Episode['recovery'], string>> = {
  untried: 'No recovery was tried yet.',
  pending: 'A recovery is on its way.',
  accepted: 'A recovery was accepted and did not help.',
  rejected: 'A recovery was refused.',
  unknown: 'The answer of a recovery was lost.',
  cancelled: 'A recovery was dropped.',
}

function acknowledgementRule({ incident }: MonitorFacts): v2.ExplainedRule {
  if (incident === null) return notApplicable('acknowledgement', 'No incident is open.')
  if (incident.isDismissed)
    return decided('acknowledgement', 'The incident was dismissed: nothing is sent of it.')
  const { acknowledged } = incident
  return acknowledged === null
    ? passed('acknowledgement', 'Nobody has acknowledged the incident.')
    : decided(
        'acknowledgement',
        `${acknowledged.by} acknowledged the incident at ${timestamp(acknowledged.at)}: its policy rests, and messages say so.`,
      )
}

function policyRule(facts: MonitorFacts): v2.ExplainedRule {
  const { configured, page } = facts
  const { severity = 'critical' } = configured.monitor.notify
  const policy = policyNameOf(configured)
  if (policy === null)
    return notApplicable('policy', `Its red is ${severity}; no escalation policy applies to it.`)
  if (page === null)
    return passed(
      'policy',
      `Its red is ${severity}; the policy ${policy} applies, and no page of it is about this monitor.`,
    )
  const place = `step ${page.step} of ${page.steps}${page.rounds > 1 ? ` in round ${page.round} of ${page.rounds}` : ''}`
  const states: Readonly<Record<v2.EscalationPage['state'], string>> = {
    running: `${place} comes next`,
    spent: 'its last step was told',
    acknowledged: `${page.acknowledgedBy ?? 'somebody'} takes care of it`,
    paused: 'it waits: its monitors are snoozed, in maintenance or suppressed',
  }
  const told = page.told.map(({ personRef, endpointRef }) => personRef ?? endpointRef)
  const whom =
    told.length === 0
      ? 'nobody was told yet'
      : `${listWords(told)} ${told.length === 1 ? 'was' : 'were'} told`
  const held = page.held.map(
    ({ personRef, until }) => `${personRef} is told at ${timestamp(Date.parse(until))}`,
  )
  return decided('policy', `The policy ${page.policyRef}: ${[states[page.state], whom, ...held].join('; ')}.`)
}

function isFailing({ health }: MonitorFacts): boolean {
  return health.episode !== null
}
