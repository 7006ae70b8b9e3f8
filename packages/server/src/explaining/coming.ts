// explaining/coming.ts: what comes next for a monitor or an action, and when, unless something else happens before.
import type { v2 } from '@pulseward/contract'
import { durationWords, waitWords } from '@pulseward/contract/v1/words'
import type { Action } from '../deciding/actions/action.ts'
import type { WaitReason } from '../deciding/actions/action-queues.ts'
import type { Instant } from '../deciding/health/health.ts'
import { titleOf } from './action-words.ts'
import { type Coming, sentence, type Teller } from './explained.ts'
import type { MonitorFacts } from './monitor-facts.ts'

export function comingOfMonitor(facts: MonitorFacts): Coming[] {
  const { configured, nextCheckAt, snoozedUntilMs, window } = facts
  if (!configured.monitor.enabled) return []
  if (snoozedUntilMs !== null)
    return [{ at: snoozedUntilMs, text: 'The snooze ends, and it is checked again.' }]
  const coming: Coming[] = []
  if (window.active) coming.push({ at: window.untilMs, text: windowEnd(facts) })
  else if (window.nextAtMs !== null) coming.push({ at: window.nextAtMs, text: 'Maintenance begins.' })
  if (nextCheckAt !== null) coming.push({ at: nextCheckAt, text: checkWords(facts) })
  return [...coming, ...messagesOf(facts)]
}

export function comingOfAction(
  action: Action,
  wait: WaitReason | null,
  isHeld: boolean,
  { at }: Teller,
): Coming[] {
  if (action.state === 'queued') {
    const isTimed = action.notBefore > at
    const held = wait === null || wait === 'room' || isTimed ? '' : `; now ${waitWords[wait]}`
    return [{ at: isTimed ? action.notBefore : null, text: `It is sent if it is still true then${held}.` }]
  }
  if (action.untold !== null) return [{ at: null, text: 'The green of the incident or a digest reports it.' }]
  return isHeld
    ? [{ at: null, text: 'No recovery of this monitor is started until somebody reviews this one.' }]
    : []
}

function windowEnd({ health: { episode } }: MonitorFacts): string {
  const isHeld = episode !== null && episode.incident === null
  return `Maintenance ends${isHeld ? '; if it still fails then, the incident opens' : ''}.`
}

function messagesOf(facts: MonitorFacts): Coming[] {
  const { health, page, rules } = facts
  const coming: Coming[] = []
  const incident = health.episode?.incident ?? null
  const isQuiet = incident?.handling?.isDismissed === true || incident?.handling?.acknowledged != null
  if (incident !== null && !isQuiet && rules.repeatMs !== null) {
    const every = durationWords(rules.repeatMs)
    const text = `Red is repeated if the incident is still open, every ${every}.`
    coming.push({ at: Math.max(facts.at, incident.lastRedAt + rules.repeatMs), text })
  }
  if (page !== null) coming.push(...stepsOf(page, facts.at))
  for (const action of facts.actions) {
    if (action.state !== 'queued' || (facts.endpoint !== null && action.endpoint !== facts.endpoint)) continue
    const at = action.notBefore > facts.at ? action.notBefore : null
    coming.push({ at, text: sentence(`${titleOf(action, facts)} is sent if it is still true then`) })
  }
  return coming
}

/** After a restart or a gap a page goes on only when a check has failed since, however late its step is then. */
function stepsOf(page: v2.EscalationPage, now: Instant): Coming[] {
  const { nextStepAt, policyRef, restartsAt, step, waitsForCheck } = page
  if (restartsAt !== undefined)
    return [
      {
        at: Date.parse(restartsAt),
        text: `The policy ${policyRef} starts again if the incident is still open.`,
      },
    ]
  if (nextStepAt === undefined) return []
  const at = Date.parse(nextStepAt)
  const words = `The policy ${policyRef} tells step ${step}`
  if (!waitsForCheck) return [{ at, text: `${words}.` }]
  return [{ at: at > now ? at : null, text: `${words} once a check has failed since the service went on.` }]
}

/** What the next check or signal may change. */
function checkWords(facts: MonitorFacts): string {
  const { health, reportsByItself, rules } = facts
  const begin = reportsByItself ? 'A signal is expected' : 'It is checked again'
  if (health.episode === null) return `${begin}.`
  if (opensNext(facts) && !rules.recoveryConfigured)
    return `${begin}; ${reportsByItself ? 'if it does not come in time' : 'if that fails'}, the incident opens.`
  const { healthyStreak, verification } = health.episode
  const [healthy, needed] =
    verification === null
      ? [healthyStreak, rules.healthyThreshold]
      : [verification.healthy, verification.needed]
  const left = Math.max(1, needed - healthy)
  const good = reportsByItself ? 'signal of success' : 'healthy check'
  const plural = reportsByItself ? 'signals of success' : 'healthy checks'
  return `${begin}; ${left === 1 ? `a ${good} ends` : `${left} ${plural} in a row end`} it.`
}

function opensNext({ ancestor, health: { episode }, rules, window }: MonitorFacts): boolean {
  const isWithheld = ancestor.kind === 'in-trouble' || ancestor.kind === 'not-checked' || window.active
  const isLast = rules.unhealthyThreshold - (episode?.failures ?? 0) <= 1
  return (episode?.incident ?? null) === null && isLast && !isWithheld
}
