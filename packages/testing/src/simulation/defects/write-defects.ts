// simulation/defects/write-defects.ts: defects in writes through v2.
import type { RequestTurn, ResourceWrites, WriteTurn } from '@pulseward/server/internal/engine/engine-turn.ts'
import type { Recovered } from '@pulseward/server/internal/store/store.ts'
import type { WriteParts } from '../writes/write-desk.ts'
import { type Defects, replace } from './defect.ts'

export const writeDefects: Defects = {
  'lost-update': {
    summary: 'An edit is made on whatever version there is.',
    writes: ({ desk }) => {
      const present = async (...[kind, id]: Parameters<typeof desk.find>) =>
        (await desk.find(kind, id))?.change ?? null
      replace(
        desk,
        'replace',
        (edit) => async (kind, sent, _version, by) =>
          edit(kind, sent, await present(kind, sent.metadata.id), by),
      )
      replace(
        desk,
        'patch',
        (edit) => async (kind, id, patch, _version, by, sentOf) =>
          edit(kind, id, patch, await present(kind, id), by, sentOf),
      )
    },
  },
  'answered-before-commit': {
    summary: 'A write is answered when it was decided, not when it is on disk.',
    writes: ({ engine }) =>
      replace(engine, 'request', (request) => async (unstored, work) => {
        void request(unstored, work)
        return 'stored'
      }),
  },
  'uncommitted-shown': {
    summary: 'A read shows what is still being committed.',
    writes: ({ registry, lists }) => {
      const decided = new Map<string, Parameters<typeof registry.put>[0]>()
      replace(registry, 'put', (put) => (resource) => {
        decided.set(`${resource.kind} ${resource.id}`, resource)
        put(resource)
      })
      replace(registry, 'remove', (remove) => (kind, id, change) => {
        decided.delete(`${kind} ${id}`)
        remove(kind, id, change)
      })
      replace(lists, 'find', (find) => async (kind, id) => decided.get(`${kind} ${id}`) ?? find(kind, id))
    },
  },
  'withdrawn-remembered': {
    summary: 'What could not be stored is taken for written.',
    writes: ({ registry }) => replace(registry, 'takeBack', () => () => {}),
  },
  'referenced-deleted': {
    summary: 'What others refer to is deleted all the same.',
    writes: ({ registry }) => replace(registry, 'isReferenced', () => () => false),
  },
  'dangling-accepted': {
    summary: 'A write may refer to monitors that are not there.',
    writes: ({ registry }) =>
      replace(
        registry,
        'has',
        (has) => (kind, id) => has(kind, id) || (kind === 'Monitor' && id === 'nowhere'),
      ),
  },
  'circle-accepted': {
    summary: 'Monitors may stand behind each other in a circle.',
    writes: ({ registry }) => replace(registry, 'parentsOf', () => () => []),
  },
  'lists-unpinned': {
    summary: 'Every page of a list shows the resources as they are now.',
    writes: ({ lists }) =>
      replace(lists, 'page', (page) => (kind, query) => page(kind, { ...query, upToChange: Infinity })),
  },
  'page-ends-skipped': {
    summary: 'A page of a list begins one behind where the last one ended.',
    writes: ({ lists }) =>
      replace(lists, 'page', (page) => async (kind, query) => {
        const found = await page(kind, query)
        if (typeof found === 'string' || query.after === null) return found
        return { ...found, resources: found.resources.slice(1) }
      }),
  },
  'amendment-lost': {
    summary: 'A write is stored and answered, and does not come into the fleet before a restart.',
    writes: ({ engine }) => replace(engine, 'amendFleet', () => () => new Uint32Array(0)),
  },
  'deleted-goes-on': {
    summary: 'A monitor that was deleted is checked on.',
    writes: ({ engine }) =>
      replace(
        engine,
        'amendFleet',
        (amendFleet) => (turn, change, credentials) =>
          amendFleet(turn, { ...change, removed: [] }, credentials),
      ),
  },
  'credential-kept': {
    summary: 'Drivers go on with the value that a credential had.',
    writes: ({ engine }) =>
      replace(engine, 'amendFleet', (amendFleet) => (turn, change) => amendFleet(turn, change, null)),
  },
  'actor-forgotten': {
    summary: 'The event of a write does not say who has written.',
    writes: withWrites((writes) => ({
      ...writes,
      events: writes.events.map((event) => ({ ...event, actor: null })),
    })),
  },
  'write-told-twice': {
    summary: 'A write leaves two events.',
    engine: ({ journal }) =>
      replace(journal, 'addEvent', (addEvent) => (event) => {
        addEvent(event)
        if (event.resource !== undefined) addEvent(event)
      }),
  },
  'resource-lost-in-restart': {
    summary: 'A restart does not find the monitor that was written last.',
    recovered: (recovered) => ({ ...recovered, monitors: withoutNewest(recovered.monitors) }),
  },
  'routes-left-out': {
    summary: 'Routes are stored and answered, and tell nobody.',
    writes: ({ registry }) => replace(registry, 'head', (head) => () => ({ ...head(), routes: [] })),
  },
  'clash-taken': {
    summary: 'A reload takes files with monitors that v2 manages.',
    writes: ({ registry }) => replace(registry, 'isManaged', () => () => false),
  },
}

/** Changes what a write stores in its turn. */
function withWrites(change: (writes: ResourceWrites) => ResourceWrites) {
  return ({ engine }: WriteParts) =>
    replace(
      engine,
      'request',
      (request) => (unstored, work) =>
        request(unstored, (turn) => {
          const changed: WriteTurn = {
            now: turn.now,
            decide: (input) => turn.decide(input),
            afterCommit: (effect) => turn.afterCommit(effect),
            keep: (record, writes) => turn.keep(record, writes && change(writes)),
          }
          work(changed as RequestTurn)
        }),
    )
}

async function* withoutNewest(monitors: Recovered['monitors']): Recovered['monitors'] {
  const all = (await Array.fromAsync(monitors)).flat()
  const newest = Math.max(...all.map(({ change }) => change))
  yield all.filter(({ change }) => change !== newest)
}
