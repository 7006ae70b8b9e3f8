// bulk/operation-state.ts: the life of an operation of many items, as one table: what each call does in each state. Pure.
//
//   staging ─validate─▶ validating ─▶ validated ─activate─▶ applying ─▶ completed, partial or failed
//                            └──────▶ rejected
//
// Cancel leads from every state before the end to cancelled. What waits for its client for too long expires.
import type { v2 } from '@pulseward/contract'

export type State = v2.OperationState
export type Call = 'upload' | 'validate' | 'activate' | 'cancel'

/**
 * The reaction to a call: the operation goes to the next state, the call reports what is known and changes
 * nothing, or it is refused with a sentence.
 */
export type Reaction =
  | { readonly to: State }
  | { readonly to: null; readonly refusal: null }
  | { readonly to: null; readonly refusal: string }

const stays: Reaction = { to: null, refusal: null }
const goes = (to: State): Reaction => ({ to })
const refused = (refusal: string): Reaction => ({ to: null, refusal })

const complete = 'The collection is complete: it was given to validation.'
const over = (word: string) => `The operation has ended: it is ${word}.`
const gone = 'The operation has expired.'

const reactions: Readonly<Record<State, Readonly<Record<Call, Reaction>>>> = {
  staging: {
    upload: goes('staging'),
    validate: goes('validating'),
    activate: refused('The collection has not been validated; call validate first.'),
    cancel: goes('cancelled'),
  },
  validating: {
    upload: refused(complete),
    validate: stays,
    activate: refused('The collection is still being validated; activate it when it is found valid.'),
    cancel: goes('cancelled'),
  },
  validated: {
    upload: refused(complete),
    validate: stays,
    activate: goes('applying'),
    cancel: goes('cancelled'),
  },
  rejected: {
    upload: refused(`${over('rejected')} Create another one for the corrected collection.`),
    validate: stays,
    activate: refused('The collection was found to be wrong, so nothing of it can be activated.'),
    cancel: refused(`${over('rejected')} There is nothing to cancel.`),
  },
  applying: {
    upload: refused('The operation is being applied and takes no more items.'),
    validate: stays,
    activate: stays,
    cancel: goes('cancelled'),
  },
  completed: ended('completed'),
  partial: ended('partial'),
  failed: ended('failed'),
  cancelled: {
    upload: refused(over('cancelled')),
    validate: refused(`${over('cancelled')} Create another one.`),
    activate: refused(`${over('cancelled')} It cannot be activated any more.`),
    cancel: stays,
  },
  expired: { upload: refused(gone), validate: refused(gone), activate: refused(gone), cancel: refused(gone) },
}

/** What was applied stays known: repeating a call does nothing twice. */
function ended(state: State): Readonly<Record<Call, Reaction>> {
  return {
    upload: refused(`${over(state)} Create another one for more items.`),
    validate: stays,
    activate: stays,
    cancel: refused(`${over(state)} What was applied is not undone.`),
  }
}

export function reactionTo(call: Call, state: State): Reaction {
  return reactions[state][call]
}

/** The states in which it waits for its client, for up to a day. */
export function waitsForClient(state: State): boolean {
  return state === 'staging' || state === 'validated'
}

export function isRunning(state: State): boolean {
  return state === 'validating' || state === 'applying'
}

export function hasEnded(state: State): boolean {
  return !waitsForClient(state) && !isRunning(state)
}

/** The state of an operation when every item has its outcome. */
export function finalState(counts: Readonly<Record<string, number>>, itemCount: number): State {
  const done = doneOf(counts)
  if (done === itemCount) return 'completed'
  return done === 0 ? 'failed' : 'partial'
}

/** The state of an operation that ends before that. */
export function earlyState({
  state,
  counts,
}: {
  readonly state: string
  readonly counts: Readonly<Record<string, number>>
}): State {
  if (hasEnded(state as State)) return state as State
  return doneOf(counts) === 0 ? 'failed' : 'partial'
}

function doneOf(counts: Readonly<Record<string, number>>): number {
  return (counts['created'] ?? 0) + (counts['updated'] ?? 0) + (counts['unchanged'] ?? 0)
}
