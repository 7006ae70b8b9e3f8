// v2/wire/state.ts: the service itself: whether its storage works, and what it does not know.
import { type Static, Type } from 'typebox'
import { storeModes } from '../../v1/values.ts'
import { limits } from '../limits.ts'
import { Action } from './action.ts'
import { count, flag, listing, oneOf, rate, text, timestamp, wireType } from './wire-type.ts'

export const StorageState = wireType(
  'StorageState',
  'The health of the storage, without paths or addresses.',
  {
    available: flag('Whether commits are accepted.'),
    mode: oneOf(storeModes, 'Where it keeps durable state.'),
    formatVersion: Type.Optional(count('The version of the stored format.')),
    commitIndex: Type.Optional(count('The last committed position.')),
    appliedIndex: Type.Optional(count('The last position that readers see.')),
    bytes: Type.Optional(count('What it takes on disk.')),
    error: Type.Optional(text('What is wrong, without secrets.')),
  },
)

export const State = wireType('State', 'The service itself.', {
  generatedAt: timestamp('When this was read.'),
  ready: flag('Whether it is ready.'),
  live: flag('Whether the process is alive.'),
  storage: StorageState,
  projectionAgeMs: Type.Optional(rate('How far readers are behind what is committed.')),
  unknownActions: Type.Optional(count('Actions whose outcome is not known and not reviewed.')),
  actions: Type.Optional(listing(Action, 'Those actions: the first 500.', { maxItems: limits.stateActions })),
})

export type State = Static<typeof State>
