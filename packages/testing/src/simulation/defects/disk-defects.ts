// simulation/defects/disk-defects.ts: defects in what is stored, read back and restored after a crash.
import type { Recovered } from '@pulseward/server/internal/store/store.ts'
import { type Defects, replace } from './defect.ts'

export const diskDefects: Defects = {
  'effect-before-commit': {
    summary: 'The disk says that a batch is on it before it is, so that providers are called too early.',
    disk: { acknowledgesEarly: true },
  },
  'position-falls': {
    summary: 'A restart finds less of the log than was acknowledged.',
    recovered: (recovered) => ({ ...recovered, position: Math.max(0, recovered.position - 5) }),
  },
  'double-start': {
    summary: 'The stage around the drivers calls a provider twice for one action.',
    calls: { callsTwice: true },
  },
  'replayed-unknown': {
    summary: 'Actions that were in flight in a crash are queued again.',
    recovered: (recovered) => ({
      ...recovered,
      actions: recovered.actions.map((action) =>
        action.state === 'started' ? { ...action, state: 'queued', startedAt: null } : action,
      ),
    }),
  },
  'broken-alternation': {
    summary: 'The opening of an incident is written down twice.',
    engine: ({ journal }) =>
      replace(journal, 'addEvent', (addEvent) => (event) => {
        addEvent(event)
        if (event.type === 'incident_opened') addEvent(event)
      }),
  },
  'secret-in-event': {
    summary: 'What a provider says is written down as it is, with the secret that it quotes.',
    calls: { keepsSecrets: true },
  },
  'falling-counters': {
    summary: 'A restart begins to count anew.',
    recovered: (recovered) => ({ ...recovered, blocks: [] }),
  },
  'reused-numbers': {
    summary: 'A restart forgets which numbers were given to monitors that left.',
    recovered: (recovered) => ({
      ...recovered,
      highestNumericId: -1,
      identities: onlyPresent(recovered.identities),
    }),
  },
  'forgotten-state': {
    summary: 'The health of monitors is not written down.',
    engine: ({ journal }) => replace(journal, 'keepState', () => () => {}),
  },
  'torn-pages': {
    summary: 'A reading of several pages sees what was committed after its first page.',
    readsOn: true,
  },
  'digest-forgotten-in-restart': {
    summary: 'A restart does not know which incidents were never notified.',
    recovered: (recovered) => ({
      ...recovered,
      actions: recovered.actions.map((action) => ({ ...action, untold: null })),
    }),
  },
  'ailing-forgotten-in-restart': {
    summary: 'A restart takes every destination for well.',
    recovered: (recovered) => ({ ...recovered, destinations: [] }),
  },
  'cooldown-forgotten-in-restart': {
    summary: 'A restart does not know what was delivered before it.',
    recovered: (recovered) => ({
      ...recovered,
      actions: recovered.actions.filter(({ state }) => state !== 'succeeded'),
    }),
  },
  'queue-forgotten-in-restart': {
    summary: 'What was queued before a restart is gone.',
    recovered: (recovered) => ({
      ...recovered,
      actions: recovered.actions.filter(({ state }) => state !== 'queued'),
    }),
  },
  'answers-unwritten': {
    summary: 'The end of an action is not written down.',
    engine: ({ journal }) =>
      replace(journal, 'keepAction', (keepAction) => (action) => {
        if (action.finishedAt === null) keepAction(action)
      }),
  },
  'stop-abandons-starts': {
    summary: 'A service that is asked to stop waits for no answer.',
    engine: ({ actions }) => replace(actions, 'drain', () => async () => {}),
  },
}

async function* onlyPresent(identities: Recovered['identities']): Recovered['identities'] {
  for await (const chunk of identities) yield chunk.filter(({ removedAt }) => removedAt === null)
}
