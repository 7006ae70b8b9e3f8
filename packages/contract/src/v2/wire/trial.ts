// v2/wire/trial.ts: drafts that are tried before they are saved. Nothing of a trial is kept.
import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { DriverConfig } from './driver-config.ts'
import { duration, flag, listing, oneOf, rate, text, wireType } from './wire-type.ts'

export const CheckTrialRequest = wireType('CheckTrialRequest', 'A check to run once.', {
  driver: DriverConfig,
  timeout: Type.Optional(
    duration(
      `Time that the check may take, at most ${limits.trialTimeoutSeconds}s; ${limits.trialTimeoutDefaultSeconds}s unless given.`,
    ),
  ),
})

export const checkTrialOutcomes = ['success', 'failure', 'timeout', 'noData'] as const
export const trialPhases = ['resolve', 'connect', 'tls', 'first_byte'] as const

export const TrialPhase = wireType('TrialPhase', 'A step of a check that has ended.', {
  phase: oneOf(trialPhases, 'The step; a redirect repeats those of a connection.'),
  atMs: rate('When it ended, in milliseconds since the check began.'),
})

export const Observation = wireType('Observation', 'What a check saw: a fact, or one of its assertions.', {
  name: text('What it is about, such as status or certificate issuer.'),
  seen: text('What was there. Secrets are [redacted], and long texts are cut.'),
  expected: Type.Optional(text('What it had to be; absent for a fact.')),
  met: Type.Optional(flag('Whether it was as expected; absent for a fact.')),
})

export const CheckTrial = wireType('CheckTrial', 'What one run of a check saw.', {
  outcome: oneOf(checkTrialOutcomes, 'As of a check of a monitor; noData: nothing can be said.'),
  latencyMs: rate('How long it took.'),
  phases: listing(TrialPhase, 'Its steps, in the order in which they ended.'),
  reason: Type.Optional(text('Why it is not a success.')),
  warning: Type.Optional(text('What a success warns of.')),
  observations: listing(Observation, 'What it saw, in the order in which it saw it.'),
})

export const notificationTrialOutcomes = ['delivered', 'rejected', 'notReached', 'unknown'] as const

export const NotificationTrial = wireType('NotificationTrial', 'What became of a test message.', {
  outcome: oneOf(
    notificationTrialOutcomes,
    'notReached: there was no connection; unknown: it may have been delivered.',
  ),
  reason: Type.Optional(text('Why it was not delivered, or what the provider noted.')),
})

export type CheckTrialRequest = Static<typeof CheckTrialRequest>
export type Observation = Static<typeof Observation>
export type CheckTrial = Static<typeof CheckTrial>
export type NotificationTrial = Static<typeof NotificationTrial>
