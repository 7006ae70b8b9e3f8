import { DatabaseSync } from 'node:sqlite'
import { event, health, identity } from '@pulseward/testing/store'
import { expect, it } from 'vitest'
import { notHandled } from '../incident.ts'
import { eventRows, incidentOf } from '../rows.ts'
import { bringForward, formatSteps } from './format.ts'
import { IdentityBlocks } from './identity-blocks.ts'
import { IncidentTable } from './incident-table.ts'

const at = 1_700_000_000_000

/** A store of the format before incidents had rows, in which the events before `oldest` were forgotten. */
function storeWith(events: readonly ReturnType<typeof event>[], oldest: number): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  bringForward(database, formatSteps.slice(0, 4))
  const append = database.prepare('INSERT INTO event VALUES (?, ?, 0, 1, ?, ?, 0)')
  for (const [index, row] of eventRows(events).events.entries())
    if (index + 1 >= oldest) append.run(index + 1, row.numericId, row.at, row.body)
  database.prepare('UPDATE log SET position = ?, oldest = ?').run(events.length, oldest)
  new IdentityBlocks(database).write([identity(1), identity(2), identity(300)])
  return database
}

function incidentEvent(type: 'opened' | 'closed', id: string, numericId: number) {
  const outcome = type === 'closed' ? 'recovered' : null
  return event(numericId, { type: `incident_${type}`, incidentId: id, outcome, at: at + numericId })
}

const newestFirst = (database: DatabaseSync) =>
  new IncidentTable(database).page(null, Number.MAX_SAFE_INTEGER, 100).map(incidentOf)

it('finds the incidents of a store of the fourth format in its events', () => {
  using database = storeWith(
    [
      incidentEvent('opened', 'a', 1),
      event(2, { type: 'action_queued' }),
      incidentEvent('opened', 'b', 2),
      incidentEvent('closed', 'a', 1),
    ],
    1,
  )
  bringForward(database)
  expect(newestFirst(database)).toEqual([
    {
      id: 'b',
      monitorId: 'monitor-2',
      opened: 3,
      openedAt: at + 2,
      closed: null,
      handling: notHandled,
      because: null,
    },
    {
      id: 'a',
      monitorId: 'monitor-1',
      opened: 1,
      openedAt: at + 1,
      closed: { position: 4, at: at + 1, outcome: 'recovered' },
      handling: notHandled,
      because: null,
    },
  ])
})

it('finds those whose first event was forgotten by their last one, or by the state of their monitor', () => {
  using database = storeWith(
    [
      incidentEvent('opened', 'open', 300),
      incidentEvent('opened', 'ended', 1),
      event(2, { type: 'action_queued' }),
      incidentEvent('closed', 'ended', 1),
    ],
    3,
  )
  const episode = { incident: { id: 'open', openedAt: at - 5, lastRedAt: at } }
  database
    .prepare('INSERT INTO state (numeric_id, sum, body) VALUES (300, 0, ?)')
    .run(JSON.stringify({ ...health(1), episode }))
  bringForward(database)
  expect(newestFirst(database)).toEqual([
    {
      id: 'open',
      monitorId: 'monitor-300',
      opened: 2,
      openedAt: at - 5,
      closed: null,
      handling: notHandled,
      because: null,
    },
    {
      id: 'ended',
      monitorId: 'monitor-1',
      opened: 1,
      openedAt: null,
      closed: { position: 4, at: at + 1, outcome: 'recovered' },
      handling: notHandled,
      because: null,
    },
  ])
})

it('takes nothing that is damaged for an incident', () => {
  using database = storeWith([incidentEvent('opened', 'a', 1)], 1)
  database.exec("INSERT INTO event VALUES (2, 1, 0, 1, 5, 'not JSON', 0)")
  database.exec("INSERT INTO state (numeric_id, sum, body) VALUES (1, 0, 'not JSON')")
  bringForward(database)
  expect(newestFirst(database).map(({ id }) => id)).toEqual(['a'])
})
