// acting/verb-words.ts: the sentences of the dialog: what each verb will do, and what it has done.
import type { Verb } from './verbs.ts'

export interface VerbWords {
  /** Precedes the name of the monitor. */
  readonly title: string
  readonly about: string
  readonly button: string
  readonly reason: 'required' | 'optional' | 'none'
  /** Follows the name and a colon. */
  readonly done: string
}

export const verbWords: Readonly<Record<Verb, VerbWords>> = {
  acknowledge: {
    title: 'Acknowledge the incident of',
    about: 'Others see that you are looking into it. Checks, recovery and first notifications continue.',
    button: 'Acknowledge',
    reason: 'optional',
    done: 'the incident is acknowledged.',
  },
  dismiss: {
    title: 'Dismiss the incident of',
    about:
      'No more notifications are sent about this incident. Checks and recovery continue, and it closes by itself.',
    button: 'Dismiss',
    reason: 'required',
    done: 'the incident is dismissed.',
  },
  reopen: {
    title: 'Reopen the incident of',
    about: 'Notifications about this incident are sent again from now on. Earlier ones are not repeated.',
    button: 'Reopen',
    reason: 'optional',
    done: 'the incident is reopened.',
  },
  snooze: {
    title: 'Snooze',
    about: 'While snoozed it is not checked, nobody is notified, and no recovery starts.',
    button: 'Snooze',
    reason: 'required',
    done: 'it is snoozed.',
  },
  unsnooze: {
    title: 'End the snooze of',
    about: 'Checks begin again at once.',
    button: 'End the snooze',
    reason: 'optional',
    done: 'the snooze is over.',
  },
  enable: {
    title: 'Enable',
    about: 'It is checked from now on.',
    button: 'Enable',
    reason: 'none',
    done: 'it is enabled.',
  },
  disable: {
    title: 'Disable',
    about: 'It is not checked until it is enabled again. Its open incident is closed.',
    button: 'Disable',
    reason: 'none',
    done: 'it is disabled.',
  },
  recover: {
    title: 'Recover',
    about: 'The recovery is carried out on the real system, once. It cannot be undone.',
    button: 'Start the recovery',
    reason: 'required',
    done: 'the recovery was requested.',
  },
  review: {
    title: 'Review an action of',
    about: 'It was sent, but its answer was lost. Look at the system itself, then record what you found.',
    button: 'Save the review',
    reason: 'required',
    done: 'the review is saved.',
  },
}

export const resolutions = [
  { value: 'accepted', words: 'It happened' },
  { value: 'rejected', words: 'It did not happen' },
  { value: 'inconclusive', words: 'It could not be determined' },
] as const

export type Resolution = (typeof resolutions)[number]['value']
