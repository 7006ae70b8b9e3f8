// deciding/health/warning.ts: a target that answers well but should be looked at (a certificate close to its end). Its edges
// are told, it never starts a recovery, and a yellow that was sent is always followed by a green: its own, or the
// closing one of the episode that took it over.
import type { Ancestors } from './ancestors.ts'
import type { Instant } from './health.ts'
import { become, inEpisode, notify, type Step } from './step.ts'

export function raiseWarning(step: Step, text: string | null, ancestors: Ancestors, now: Instant): Step {
  const { warning } = step.state
  if (text === null || text === warning?.text) return step
  if (warning !== null) return become(step, { warning: { ...warning, text } })
  const announced = ancestors.kind !== 'in-trouble'
  const raised = become(step, { warning: { text, since: now, announced } })
  return announced ? notify(raised, 'yellow', 'warning') : raised
}

export function dropWarning(step: Step): Step {
  const { warning, episode } = step.state
  if (warning === null) return step
  if (episode !== null) return handOverWarning(step)
  const dropped = become(step, { warning: null })
  return warning.announced ? notify(dropped, 'green', 'warning') : dropped
}

/** Cleared without a green: the closing green of the episode speaks for both. */
export function handOverWarning(step: Step): Step {
  const { warning, episode } = step.state
  if (warning === null || episode === null) return step
  const dropped = become(step, { warning: null })
  if (!warning.announced) return dropped
  const warnedSince = Math.min(episode.warnedSince ?? warning.since, warning.since)
  return inEpisode(dropped, { announced: true, warnedSince })
}
