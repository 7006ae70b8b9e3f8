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
    about:
      'Others see that you look into it. Nothing pauses: checks, recovery and first notifications go on.',
    button: 'Acknowledge',
    reason: 'optional',
    done: 'the incident is acknowledged.',
  },
  dismiss: {
    title: 'Dismiss the incident of',
    about: 'Nothing more is sent about this incident. Checks and recovery go on, and it closes by itself.',
    button: 'Dismiss',
    reason: 'required',
    done: 'the incident is dismissed.',
  },
  reopen: {
    title: 'Reopen the incident of',
    about: 'Notifications about this incident are sent again from now on. Nothing is sent a second time.',
    button: 'Reopen',
    reason: 'optional',
    done: 'the incident is taken up again.',
  },
  snooze: {
    title: 'Snooze',
    about: 'Until it wakes it is not checked, nothing is sent about it, and no recovery begins.',
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
    about: 'It is not checked any more, until somebody enables it. An open incident of it is closed.',
    button: 'Disable',
    reason: 'none',
    done: 'it is disabled.',
  },
  recover: {
    title: 'Recover',
    about: 'The recovery is carried out on the real system, once. It cannot be taken back.',
    button: 'Start the recovery',
    reason: 'required',
    done: 'the recovery was asked for.',
  },
  review: {
    title: 'Review an action of',
    about: 'It was sent and its answer was lost. Look at the system itself, then say what you found.',
    button: 'Keep the review',
    reason: 'required',
    done: 'the review is kept.',
  },
}

export const resolutions = [
  { value: 'accepted', words: 'It took place' },
  { value: 'rejected', words: 'It did not take place' },
  { value: 'inconclusive', words: 'It cannot be told' },
] as const

export type Resolution = (typeof resolutions)[number]['value']
