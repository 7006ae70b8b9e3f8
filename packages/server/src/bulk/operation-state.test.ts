import { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { type Call, finalState, hasEnded, isRunning, reactionTo, waitsForClient } from './operation-state.ts'

/** `→ state`, `stays`, or the beginning of the sentence that refuses the call. */
const table: Readonly<Record<v2.OperationState, Readonly<Record<Call, string>>>> = {
  staging: {
    upload: '→ staging',
    validate: '→ validating',
    activate: 'The collection has not been validated',
    cancel: '→ cancelled',
  },
  validating: {
    upload: 'The collection is complete',
    validate: 'stays',
    activate: 'The collection is still being validated',
    cancel: '→ cancelled',
  },
  validated: {
    upload: 'The collection is complete',
    validate: 'stays',
    activate: '→ applying',
    cancel: '→ cancelled',
  },
  rejected: {
    upload: 'The operation has ended: it is rejected. Create another one',
    validate: 'stays',
    activate: 'The collection was found to be wrong',
    cancel: 'The operation has ended: it is rejected. There is nothing to cancel.',
  },
  applying: {
    upload: 'The operation is being applied',
    validate: 'stays',
    activate: 'stays',
    cancel: '→ cancelled',
  },
  completed: {
    upload: 'The operation has ended: it is completed. Create another one',
    validate: 'stays',
    activate: 'stays',
    cancel: 'The operation has ended: it is completed. What was applied is not undone.',
  },
  partial: {
    upload: 'The operation has ended: it is partial. Create another one',
    validate: 'stays',
    activate: 'stays',
    cancel: 'The operation has ended: it is partial. What was applied is not undone.',
  },
  failed: {
    upload: 'The operation has ended: it is failed. Create another one',
    validate: 'stays',
    activate: 'stays',
    cancel: 'The operation has ended: it is failed. What was applied is not undone.',
  },
  cancelled: {
    upload: 'The operation has ended: it is cancelled.',
    validate: 'The operation has ended: it is cancelled. Create another one.',
    activate: 'The operation has ended: it is cancelled. It cannot be activated',
    cancel: 'stays',
  },
  expired: {
    upload: 'The operation has expired.',
    validate: 'The operation has expired.',
    activate: 'The operation has expired.',
    cancel: 'The operation has expired.',
  },
}

const pairs = v2.operationStates.flatMap((state) =>
  (['upload', 'validate', 'activate', 'cancel'] as const).map((call) => [call, state] as const),
)

describe('an operation', () => {
  it.each(pairs)('reacts to %s while it is %s as the table says', (call, state) => {
    const reaction = reactionTo(call, state)
    const words = reaction.to === null ? (reaction.refusal ?? 'stays') : `→ ${reaction.to}`
    const expected = table[state][call]
    expect(words.slice(0, expected.length)).toBe(expected)
    if (!expected.startsWith('→') && expected !== 'stays') expect(words).toMatch(/\.$/)
  })

  it('waits for its client, runs by itself, or has ended', () => {
    const kinds = v2.operationStates.map((state) => [
      state,
      [waitsForClient(state), isRunning(state), hasEnded(state)].filter(Boolean).length,
    ])
    expect(kinds).toEqual(v2.operationStates.map((state) => [state, 1]))
    expect(v2.operationStates.filter(isRunning)).toEqual(v2.runningOperationStates)
  })

  it.each([
    [{ created: 2, unchanged: 1 }, 'completed'],
    [{ updated: 2, conflict: 1 }, 'partial'],
    [{ unchanged: 1, dependencyBlocked: 2 }, 'partial'],
    [{ conflict: 1, failed: 2 }, 'failed'],
  ] as const)('of three items with the outcomes %o is %s in the end', (counts, state) => {
    expect(finalState(counts, 3)).toBe(state)
  })
})
