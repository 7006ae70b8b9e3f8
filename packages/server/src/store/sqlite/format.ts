// store/sqlite/format.ts: the tables, as the list of steps from an empty file to the current format. A store
// of an earlier format is upgraded step by step; a later one is refused. A released step never changes: the
// next format is another step.
import type { DatabaseSync } from 'node:sqlite'
import { identityText } from '../rows.ts'
import { storeError } from '../store-errors.ts'
import { newStoreIdentity } from '../store-identity.ts'
import { makeBulkTables } from './bulk-table.ts'
import { checksum } from './checksum.ts'
import { makeEscalationTable } from './escalation-table.ts'
import { makeExecutionTable } from './execution-table.ts'
import { fillIncidents } from './fill-incidents.ts'
import { formatNumber, movedBy } from './moved-mark.ts'
import { makePushTable } from './push-table.ts'
import { makeResourceFigures } from './resource-figures.ts'
import { makeRevisionTable } from './revision-table.ts'
import { separateStatements } from './separate-statements.ts'
import { makeTrendTables } from './trend-table.ts'

export type FormatStep = (database: DatabaseSync) => void

/** "PWrd": distinguishes our files from other SQLite databases. */
export const applicationId = 0x50577264

/** The format number of a store is the number of steps that it has taken. */
export const formatSteps: readonly FormatStep[] = [
  (database) =>
    database.exec(`
      CREATE TABLE log (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        position INTEGER NOT NULL,       -- of the last event that was ever committed
        oldest INTEGER NOT NULL,         -- of the first event that retention has left
        heads_up_to INTEGER NOT NULL,    -- event_heads knows all events up to here
        history_bytes INTEGER NOT NULL,
        highest_numeric_id INTEGER NOT NULL,
        committed_at REAL
      ) STRICT;
      INSERT INTO log VALUES (1, 0, 1, 0, 0, -1, NULL);
      CREATE TABLE event (
        position INTEGER PRIMARY KEY,
        numeric_id INTEGER,
        previous INTEGER NOT NULL,       -- position of the monitor's event before this one; 0 for none
        turn INTEGER NOT NULL,           -- counts the monitor's events from 0 to 63; those with 0 are marked
        at REAL NOT NULL,
        body TEXT NOT NULL,
        sum INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE event_mark (
        numeric_id INTEGER NOT NULL,
        position INTEGER NOT NULL,
        PRIMARY KEY (numeric_id, position)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE event_heads (block INTEGER PRIMARY KEY, sum INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
      CREATE TABLE action (
        sequence INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        monitor_hash INTEGER NOT NULL,
        unsettled INTEGER NOT NULL,      -- 2 queued or started, 1 unknown, 0 ended
        changed_at REAL NOT NULL,
        body TEXT NOT NULL,
        sum INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX action_of_monitor ON action (monitor_hash);
      CREATE INDEX action_by_change ON action (changed_at);
      CREATE INDEX action_unsettled ON action (unsettled) WHERE unsettled > 0;
      CREATE TABLE identity_block (
        block INTEGER PRIMARY KEY,
        first_removed_at REAL,
        hashes_sum INTEGER NOT NULL,
        hashes BLOB NOT NULL,
        sum INTEGER NOT NULL,
        rows TEXT NOT NULL
      ) STRICT;
      CREATE INDEX identity_removed ON identity_block (first_removed_at) WHERE first_removed_at IS NOT NULL;
      CREATE TABLE state (numeric_id INTEGER PRIMARY KEY, sum INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
      CREATE TABLE counter_block (block INTEGER PRIMARY KEY, sum INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
      CREATE TABLE slo (only INTEGER PRIMARY KEY CHECK (only = 1), sum INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
      CREATE TABLE dead_destinations (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        sum INTEGER NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
    `),
  // States in the order in which monitors first had one. Checks recur in the same order, so states that are
  // written together are adjacent; ordered by number, each state of a failure storm would be on another page.
  (database) =>
    database.exec(`
      ALTER TABLE state RENAME TO state_by_number;
      CREATE TABLE state (
        sequence INTEGER PRIMARY KEY,
        numeric_id INTEGER NOT NULL UNIQUE,
        sum INTEGER NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      INSERT INTO state (numeric_id, sum, body)
        SELECT numeric_id, sum, body FROM state_by_number ORDER BY numeric_id;
      DROP TABLE state_by_number;
    `),
  (database) => {
    database.exec(`
      CREATE TABLE store_identity (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        sum INTEGER NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
    `)
    const body = identityText(newStoreIdentity())
    database.prepare('INSERT INTO store_identity VALUES (1, ?, ?)').run(checksum(1, body), body)
  },
  // A clock that leapt ahead, and a restored backup: both must survive the process that noticed.
  (database) =>
    database.exec(`
      ALTER TABLE log ADD COLUMN keeps_until REAL;
      ALTER TABLE log ADD COLUMN restored_at REAL;
    `),
  // Managed resources, ordered by id, so that a page of a list is a few pages of the file.
  (database) => {
    database.exec(`
      CREATE TABLE resource (
        kind INTEGER NOT NULL,
        id TEXT NOT NULL,
        label_set INTEGER NOT NULL,
        change INTEGER NOT NULL,         -- that made this version
        sum INTEGER NOT NULL,
        body TEXT NOT NULL,
        sealed BLOB,
        PRIMARY KEY (kind, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX resource_by_labels ON resource (kind, label_set, id);
      CREATE TABLE resource_past (
        ended_by INTEGER PRIMARY KEY,    -- the change that replaced or deleted this version
        ended_at REAL NOT NULL,
        end_sum INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        id TEXT NOT NULL,
        label_set INTEGER NOT NULL,
        change INTEGER NOT NULL,
        sum INTEGER NOT NULL,            -- as it was in the table of resources
        body TEXT NOT NULL,
        sealed BLOB
      ) STRICT;
      CREATE INDEX resource_past_by_id ON resource_past (kind, id, change);
      CREATE TABLE resource_change (
        change INTEGER PRIMARY KEY,
        kind INTEGER NOT NULL,
        deleted INTEGER NOT NULL,
        sum INTEGER NOT NULL,
        id TEXT NOT NULL
      ) STRICT;
      CREATE TABLE label_set (
        number INTEGER PRIMARY KEY,
        hash INTEGER NOT NULL,
        sum INTEGER NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX label_set_by_hash ON label_set (hash);
      CREATE TABLE resource_figures (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        sum INTEGER NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE TABLE operation (id INTEGER PRIMARY KEY, sum INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
      CREATE TABLE resource_run (        -- of consecutive events that tell of writes to resources
        first INTEGER PRIMARY KEY,
        last INTEGER NOT NULL,
        sum INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE incident (
        opened INTEGER PRIMARY KEY,      -- position of the event that opened it
        closed INTEGER,                  -- of the one that closed it
        numeric_id INTEGER NOT NULL,
        id TEXT NOT NULL UNIQUE,
        sum INTEGER NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX incident_of_monitor ON incident (numeric_id, opened);
      CREATE INDEX incident_closed ON incident (closed) WHERE closed IS NOT NULL;
    `)
    makeBulkTables(database)
    fillIncidents(database)
    makeResourceFigures(database)
  },
  (database) => {
    // The first stores of the previous format had none.
    makeBulkTables(database)
    makeExecutionTable(database)
  },
  makeTrendTables,
  (database) => {
    separateStatements(database)
    // Earlier actions have none: the incarnation that they were made for is no longer known.
    database.exec(`
      ALTER TABLE action ADD COLUMN incarnation TEXT;      -- of its monitor; empty where it was not managed
      ALTER TABLE action ADD COLUMN incarnation_sum INTEGER;
    `)
  },
  makePushTable,
  makeEscalationTable,
  makeRevisionTable,
]

/** Each step is atomic: a store is never between two formats. */
export function bringForward(database: DatabaseSync, steps: readonly FormatStep[] = formatSteps): void {
  const mark = formatNumber(database) >= movedBy ? movedBy : 0
  for (let format = requireReadable(database, steps.length); format < steps.length; format++) {
    database.exec('BEGIN IMMEDIATE')
    try {
      steps[format]!(database)
      database.exec(
        `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${mark + format + 1}; COMMIT`,
      )
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }
}

/** The format of a store without its mark, or 0 for an empty file; throws if the file is not ours or too new. */
export function requireReadable(database: DatabaseSync, newest: number = formatSteps.length): number {
  const format = formatNumber(database) % movedBy
  const application = database.prepare('PRAGMA application_id').get()!['application_id']
  const tables = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()!['count']
  if (application !== applicationId && (application !== 0 || format !== 0 || tables !== 0))
    throw storeError('corrupt', '(the file is a database of another program)')
  if (format > newest)
    throw storeError('newer_format', `(its format is ${format}, this version reads up to ${newest})`)
  return format
}
