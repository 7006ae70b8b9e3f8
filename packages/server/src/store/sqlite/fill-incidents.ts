// store/sqlite/fill-incidents.ts: creates the incident rows of an earlier store, once, from the events that it has kept
// and from the states of its monitors. If the first event of an incident was removed, its position is unknown: the
// incident gets one of the removed positions, in the order in which such incidents ended.
import type { DatabaseSync } from 'node:sqlite'
import { checksum } from './checksum.ts'
import { identitiesOf, identitiesPerBlock } from './identity-blocks.ts'
import { closedBody } from './incident-table.ts'

interface IncidentEvent {
  readonly position: number
  readonly numericId: number
  readonly type: string
  readonly id: string
  readonly monitorId: string
  readonly at: number
  readonly outcome: string | null
}

interface Found {
  readonly numericId: number
  readonly id: string
  opened: number | null
  closed: number | null
  body: string
}

interface OpenState {
  readonly numericId: number
  readonly id: string
  readonly openedAt: number
}

export function fillIncidents(database: DatabaseSync): void {
  const found = new Map<string, Found>()
  for (const event of incidentEvents(database)) noteEvent(found, event)
  const names = new MonitorNames(database)
  for (const { numericId, id, openedAt } of openStates(database)) {
    const monitorId = found.has(id) ? undefined : names.idOf(numericId)
    if (monitorId !== undefined)
      found.set(id, {
        numericId,
        id,
        opened: null,
        closed: null,
        body: JSON.stringify({ id, monitorId, openedAt }),
      })
  }
  writeAll(database, [...found.values()])
}

function noteEvent(found: Map<string, Found>, event: IncidentEvent): void {
  const { position, numericId, id, monitorId, at, outcome } = event
  if (event.type === 'incident_opened') {
    const body = JSON.stringify({ id, monitorId, openedAt: at })
    found.set(id, { numericId, id, opened: position, closed: null, body })
    return
  }
  const known = found.get(id) ?? {
    numericId,
    id,
    opened: null,
    closed: null,
    body: JSON.stringify({ id, monitorId, openedAt: null }),
  }
  known.closed = position
  known.body = closedBody(known.body, position, JSON.stringify({ at, outcome }))
  found.set(id, known)
}

function writeAll(database: DatabaseSync, incidents: readonly Found[]): void {
  const { oldest } = database.prepare('SELECT oldest FROM log').get() as { oldest: number }
  const write = database.prepare(
    'INSERT INTO incident (opened, closed, numeric_id, id, sum, body) VALUES (?, ?, ?, ?, ?, ?)',
  )
  let forgotten = 0
  for (const { opened, closed, numericId, id, body } of incidents) {
    if (opened === null && ++forgotten >= oldest) continue
    const position = opened ?? forgotten
    write.run(position, closed, numericId, id, checksum(position, body), body)
  }
}

/** Skips damaged events: their readers report them. */
function* incidentEvents(database: DatabaseSync): Iterable<IncidentEvent> {
  const events = database.prepare(`
    SELECT position, numeric_id AS numericId, body ->> '$.type' AS type, body ->> '$.incidentId' AS id,
      body ->> '$.monitorId' AS monitorId, at, body ->> '$.outcome' AS outcome
    FROM event WHERE numeric_id IS NOT NULL
      AND iif(json_valid(body), body ->> '$.type' IN ('incident_opened', 'incident_closed')
        AND body ->> '$.incidentId' IS NOT NULL AND body ->> '$.monitorId' IS NOT NULL, 0)
    ORDER BY position`)
  for (const row of events.iterate()) yield row as unknown as IncidentEvent
}

function openStates(database: DatabaseSync): OpenState[] {
  const states = database.prepare(`
    SELECT numeric_id AS numericId, body ->> '$.episode.incident.id' AS id,
      body ->> '$.episode.incident.openedAt' AS openedAt
    FROM state WHERE iif(json_valid(body), body ->> '$.episode.incident.id' IS NOT NULL, 0)
    ORDER BY openedAt`)
  return states.all() as unknown as OpenState[]
}

/** The identities of monitors by number, read one block at a time. */
class MonitorNames {
  readonly #read
  #block = -1
  #ids = new Map<number, string>()

  constructor(database: DatabaseSync) {
    this.#read = database.prepare('SELECT rows FROM identity_block WHERE block = ?')
  }

  idOf(numericId: number): string | undefined {
    const block = Math.floor(numericId / identitiesPerBlock)
    if (block !== this.#block) {
      const row = this.#read.get(block) as { rows: string } | undefined
      this.#block = block
      this.#ids = new Map(
        row === undefined ? [] : identitiesOf(row.rows).map((one) => [one.numericId, one.monitorId]),
      )
    }
    return this.#ids.get(numericId)
  }
}
