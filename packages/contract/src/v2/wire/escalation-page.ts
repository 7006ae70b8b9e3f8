// v2/wire/escalation-page.ts: what a policy tells people of one or more incidents: which step comes next and when, who was
// told, and whether a person takes care of it.
import { type Static, Type } from 'typebox'
import { count, flag, listing, oneOf, text, timestamp, wireType } from './wire-type.ts'

/** How bad the red of a monitor is. */
export const severities = ['critical', 'warning', 'info'] as const

export const escalationStates = ['running', 'spent', 'acknowledged', 'paused'] as const

export const ToldRecipient = wireType('ToldRecipient', 'A recipient who was told, and where.', {
  personRef: Type.Optional(text('The person; absent for an endpoint without a person.')),
  endpointRef: text('The endpoint that was used.'),
})

export const HeldRecipient = wireType('HeldRecipient', 'A person who is told when their quiet hours end.', {
  personRef: text('The person.'),
  until: timestamp('When their quiet hours end.'),
})

export const EscalationPage = wireType(
  'EscalationPage',
  'What a policy tells people of one or more incidents, from its first step to their end.',
  {
    id: text('The page.'),
    policyRef: text('Its policy, in the form that it had when the page started.'),
    state: oneOf(
      escalationStates,
      'running: a step is due at nextStepAt. spent: the last step was told. acknowledged: a person takes care of all of its incidents. paused: all of its monitors are snoozed, in maintenance or suppressed.',
    ),
    severity: oneOf(severities, 'Of the worst of its monitors.'),
    openedAt: timestamp('When it opened.'),
    round: count('The round that the next step belongs to, from one.'),
    rounds: count('How many rounds there are.'),
    step: count('The next step, from one; of a page that is not running, the one that would come.'),
    steps: count('How many steps a round has.'),
    nextStepAt: Type.Optional(timestamp('When the next step fires; absent if none is due.')),
    waitsForCheck: flag('After a restart or a gap, a step fires only when a check has failed again.'),
    acknowledgedBy: Type.Optional(text('Who takes care of it.')),
    restartsAt: Type.Optional(timestamp('When it starts again although it was acknowledged.')),
    leadMonitorID: text('The worst of its monitors.'),
    incidents: count('How many of its incidents are open.'),
    told: listing(ToldRecipient, 'Recipients that were told, or may have been.'),
    held: listing(HeldRecipient, 'People who are told when their quiet hours end.'),
  },
)

export type EscalationPage = Static<typeof EscalationPage>
export type ToldRecipient = Static<typeof ToldRecipient>
export type HeldRecipient = Static<typeof HeldRecipient>
