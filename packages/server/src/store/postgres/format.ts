// store/postgres/format.ts: the tables and functions of a PostgreSQL store, as the list of steps from an empty schema to
// the current format. The functions are replaced with every step, and are made from the table of record sets.
import { commitFunction } from './commit-function.ts'
import { forgetFunctions } from './forget-functions.ts'
import { runFunctions } from './run-functions.ts'

/**
 * Texts are compared by their bytes (COLLATE "C"), as everywhere in the service. Times are milliseconds since 1970.
 */
const firstFormat = `
CREATE TABLE head (                    -- one row: how far the store has come
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  format integer NOT NULL,
  identity text NOT NULL,
  place text NOT NULL,                 -- the database and the table that it was made in: another one is a restored copy
  run text NOT NULL,                   -- the run that has the store, or had it last
  epoch bigint NOT NULL,
  restores text NOT NULL DEFAULT '[]',
  position bigint NOT NULL DEFAULT 0,
  oldest bigint NOT NULL DEFAULT 1,
  history_bytes bigint NOT NULL DEFAULT 0,
  highest_numeric_id bigint NOT NULL DEFAULT -1,
  committed_at double precision,
  keeps_until double precision,
  restored_at double precision,
  last_change bigint NOT NULL DEFAULT 0,
  resources bigint NOT NULL DEFAULT 0,
  past_resources bigint NOT NULL DEFAULT 0,
  past_forgotten_up_to bigint NOT NULL DEFAULT 0,
  past_keeps_until double precision
);
CREATE TABLE run (                     -- a process that has, or had, the store
  run text PRIMARY KEY,
  batch bigint NOT NULL,               -- the number of its last batch
  ended boolean NOT NULL DEFAULT false, -- it stopped by itself
  fenced_by text                       -- the run that took the store over
);
CREATE TABLE identity (
  numeric_id bigint PRIMARY KEY,
  monitor_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  fingerprint text NOT NULL,
  check_fingerprint text NOT NULL,
  removed_at double precision,
  controls_before bigint
);
CREATE INDEX identity_by_monitor ON identity (monitor_id);
CREATE INDEX identity_by_removal ON identity (removed_at) WHERE removed_at IS NOT NULL;
CREATE TABLE event (
  position bigint PRIMARY KEY,
  numeric_id bigint,
  at double precision NOT NULL,
  of_resource boolean NOT NULL,        -- it is about a write to a resource
  action_id text,
  body text NOT NULL
);
CREATE INDEX event_by_monitor ON event (numeric_id, of_resource, position) WHERE numeric_id IS NOT NULL;
CREATE INDEX event_not_of_resources ON event (position) WHERE NOT of_resource;
CREATE TABLE incident (
  opened bigint PRIMARY KEY,
  numeric_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL UNIQUE,
  body text NOT NULL,
  closed bigint,
  ended text,
  handled text[] NOT NULL DEFAULT '{}' -- what people did about it, in order
);
CREATE INDEX incident_by_monitor ON incident (numeric_id, opened);
CREATE INDEX incident_by_end ON incident (closed) WHERE closed IS NOT NULL;
CREATE TABLE action (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  monitor_id text COLLATE "C",
  unsettled smallint NOT NULL,         -- 2: queued or started, 1: ended but not cleared up, 0: settled
  changed_at double precision NOT NULL,
  body text NOT NULL,
  incarnation text
);
CREATE INDEX action_by_monitor ON action (monitor_id, number);
CREATE INDEX action_unsettled ON action (number) WHERE unsettled > 0;
CREATE INDEX action_by_change ON action (changed_at);
CREATE TABLE state (numeric_id bigint PRIMARY KEY, body text NOT NULL);
CREATE TABLE push (numeric_id bigint PRIMARY KEY, body text NOT NULL);
CREATE TABLE counter_block (block bigint PRIMARY KEY, bytes bytea NOT NULL);
CREATE TABLE figure (name text PRIMARY KEY, body text NOT NULL);
CREATE TABLE resource (                -- the versions of managed resources
  change bigint PRIMARY KEY,           -- that made it
  kind smallint NOT NULL,
  id text COLLATE "C" NOT NULL,
  uid text NOT NULL,
  labels text NOT NULL,
  tokens text[] COLLATE "C" NOT NULL,  -- what selectors find
  body text NOT NULL,
  sealed bytea,
  ended_by bigint,                     -- the change that replaced or deleted it
  ended_at double precision
);
CREATE UNIQUE INDEX resource_present ON resource (kind, id) WHERE ended_by IS NULL;
CREATE INDEX resource_past ON resource (kind, id) WHERE ended_by IS NOT NULL;
CREATE INDEX resource_ended ON resource (ended_by) WHERE ended_by IS NOT NULL;
CREATE INDEX resource_by_label ON resource USING gin (tokens);
CREATE TABLE resource_change (
  change bigint PRIMARY KEY,
  kind smallint NOT NULL,
  id text COLLATE "C" NOT NULL,
  deleted boolean NOT NULL
);
CREATE TABLE operation (id bigint PRIMARY KEY, body text NOT NULL);
CREATE TABLE bulk (id bigint PRIMARY KEY, ended_at double precision, body text NOT NULL);
CREATE INDEX bulk_by_end ON bulk (ended_at);
CREATE TABLE bulk_outcome (            -- some thousand outcomes a row
  operation bigint NOT NULL,
  place bigint NOT NULL,               -- of its first item
  body text NOT NULL,
  PRIMARY KEY (operation, place)
);
CREATE TABLE execution (id text COLLATE "C" PRIMARY KEY, forget_at double precision, body text NOT NULL);
CREATE INDEX execution_by_end ON execution (forget_at);
CREATE TABLE worker_statement (
  execution text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (execution, id)
);
CREATE TABLE trend (level smallint NOT NULL, key bigint NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (level, key));
CREATE TABLE trend_open (
  level smallint NOT NULL,
  block bigint NOT NULL,
  cell bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (level, block)
);
`

const movedMark = `
ALTER TABLE head
  ADD COLUMN moved_to text,            -- where the store goes on; null if it is here
  ADD COLUMN moved_at double precision;
`

const standingBy = `
ALTER TABLE head ADD COLUMN takeovers bigint NOT NULL DEFAULT 0;  -- from runs that did not end by themselves
CREATE TABLE process (                 -- what the processes that have the store, or stand by, say about themselves
  run text PRIMARY KEY,
  name text NOT NULL,
  url text NOT NULL,
  place text NOT NULL,                 -- its machine and data directory
  files text NOT NULL,                 -- the digest of its fleet files
  beat bigint NOT NULL DEFAULT 0       -- counts while it lives
);
`

const escalations = `
CREATE TABLE escalation (key text COLLATE "C" PRIMARY KEY, body text NOT NULL);
`

const staging = `
CREATE TABLE staged (                  -- operations that are not applied yet
  operation bigint PRIMARY KEY,
  run text NOT NULL DEFAULT '',        -- the run that opened it last: no other one changes it
  body text NOT NULL
);
CREATE TABLE staged_item (
  operation bigint NOT NULL,
  ordinal bigint NOT NULL,             -- the order of upload
  body text NOT NULL,
  sealed bytea,
  PRIMARY KEY (operation, ordinal)
);
CREATE TABLE staged_plan (             -- how the item is applied
  operation bigint NOT NULL,
  ordinal bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (operation, ordinal)
);
`

const sharedAccess = `
CREATE TABLE document (name text COLLATE "C" PRIMARY KEY, body text NOT NULL); -- what is a file of one machine elsewhere
CREATE TABLE session (key text COLLATE "C" PRIMARY KEY, digest text NOT NULL, opened_at double precision NOT NULL);
`

const revisions = `
CREATE TABLE revision (                -- what things were before they changed
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  until double precision NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (kind, id, until)
);
CREATE INDEX revision_by_end ON revision (until);
`

/** Each makes the format of the next number from the one before it. */
export const formatSteps: readonly string[] = [
  firstFormat,
  movedMark,
  standingBy,
  escalations,
  staging,
  sharedAccess,
  revisions,
]
export const currentFormat = formatSteps.length

/** All functions of the current format. */
export const storeFunctions: string = [commitFunction(), ...forgetFunctions, ...runFunctions].join('\n')

/** What distinguishes the tables from a restored copy: a dump makes new tables, or is in another cluster. */
export const placeQuery = `
  SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || 'head'::regclass::oid AS place`
