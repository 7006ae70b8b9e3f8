CREATE SCHEMA IF NOT EXISTS "pulseward";
SET search_path = "pulseward";

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


ALTER TABLE head
  ADD COLUMN moved_to text,            -- where the store goes on; null if it is here
  ADD COLUMN moved_at double precision;


ALTER TABLE head ADD COLUMN takeovers bigint NOT NULL DEFAULT 0;  -- from runs that did not end by themselves
CREATE TABLE process (                 -- what the processes that have the store, or stand by, say about themselves
  run text PRIMARY KEY,
  name text NOT NULL,
  url text NOT NULL,
  place text NOT NULL,                 -- its machine and data directory
  files text NOT NULL,                 -- the digest of its fleet files
  beat bigint NOT NULL DEFAULT 0       -- counts while it lives
);


CREATE TABLE escalation (key text COLLATE "C" PRIMARY KEY, body text NOT NULL);


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


CREATE TABLE document (name text COLLATE "C" PRIMARY KEY, body text NOT NULL); -- what is a file of one machine elsewhere
CREATE TABLE session (key text COLLATE "C" PRIMARY KEY, digest text NOT NULL, opened_at double precision NOT NULL);


CREATE TABLE revision (                -- what things were before they changed
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  until double precision NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (kind, id, until)
);
CREATE INDEX revision_by_end ON revision (until);


CREATE OR REPLACE FUNCTION commit_batch(
  p_run text,
  p_batch bigint,
  p_at double precision,
  p_keeps_until double precision,
  p_past_keeps_until double precision,
  p_identity_numeric_id bigint[],
  p_identity_monitor_id text[],
  p_identity_revision bigint[],
  p_identity_fingerprint text[],
  p_identity_check_fingerprint text[],
  p_identity_removed_at double precision[],
  p_identity_controls_before bigint[],
  p_event_numeric_id bigint[],
  p_event_at double precision[],
  p_event_of_resource boolean[],
  p_event_action_id text[],
  p_event_body text[],
  p_incident_place bigint[],
  p_incident_change text[],
  p_incident_id text[],
  p_incident_numeric_id bigint[],
  p_incident_body text[],
  p_action_id text[],
  p_action_monitor_id text[],
  p_action_unsettled bigint[],
  p_action_changed_at double precision[],
  p_action_body text[],
  p_state_numeric_id bigint[],
  p_state_body text[],
  p_push_numeric_id bigint[],
  p_push_body text[],
  p_escalation_key text[],
  p_escalation_body text[],
  p_revision_kind text[],
  p_revision_id text[],
  p_revision_until double precision[],
  p_revision_body text[],
  p_counter_block_block bigint[],
  p_counter_block_bytes bytea[],
  p_figure_name text[],
  p_figure_body text[],
  p_resource_kind bigint[],
  p_resource_id text[],
  p_resource_change bigint[],
  p_resource_uid text[],
  p_resource_labels text[],
  p_resource_tokens text[],
  p_resource_body text[],
  p_resource_sealed bytea[],
  p_operation_id bigint[],
  p_operation_body text[],
  p_bulk_id bigint[],
  p_bulk_ended_at double precision[],
  p_bulk_body text[],
  p_bulk_outcome_operation bigint[],
  p_bulk_outcome_place bigint[],
  p_bulk_outcome_body text[],
  p_execution_id text[],
  p_execution_forget_at double precision[],
  p_execution_body text[],
  p_worker_statement_execution text[],
  p_worker_statement_id text[],
  p_worker_statement_body text[],
  p_trend_level bigint[],
  p_trend_key bigint[],
  p_trend_bytes bytea[],
  p_trend_open_level bigint[],
  p_trend_open_block bigint[],
  p_trend_open_cell bigint[],
  p_trend_open_bytes bytea[]
) RETURNS TABLE (outcome text, reached bigint) LANGUAGE plpgsql AS $function$
#variable_conflict use_column
DECLARE
  first bigint;
  made bigint;
  ended bigint;
BEGIN
  UPDATE run SET batch = p_batch WHERE run = p_run AND batch = p_batch - 1 AND fenced_by IS NULL;
  IF NOT FOUND THEN
    RETURN QUERY SELECT CASE
      WHEN own.run IS NULL OR own.fenced_by IS NOT NULL THEN 'fenced' WHEN own.batch = p_batch THEN 'there' ELSE 'lost' END,
      head.position FROM head LEFT JOIN run AS own ON own.run = p_run;
    RETURN;
  END IF;
  SELECT position + 1 INTO first FROM head;
  IF cardinality(p_identity_numeric_id) > 0 THEN
      INSERT INTO identity
      SELECT numeric_id, monitor_id, revision, fingerprint, check_fingerprint, removed_at, controls_before FROM unnest(p_identity_numeric_id, p_identity_monitor_id, p_identity_revision, p_identity_fingerprint, p_identity_check_fingerprint, p_identity_removed_at, p_identity_controls_before) WITH ORDINALITY AS given (numeric_id, monitor_id, revision, fingerprint, check_fingerprint, removed_at, controls_before, ordinal)
      ON CONFLICT (numeric_id) DO UPDATE SET monitor_id = excluded.monitor_id, revision = excluded.revision,
        fingerprint = excluded.fingerprint, check_fingerprint = excluded.check_fingerprint,
        removed_at = excluded.removed_at, controls_before = excluded.controls_before;
      UPDATE head SET highest_numeric_id =
        greatest(highest_numeric_id, (SELECT max(id) FROM unnest(p_identity_numeric_id) AS id));
  END IF;
  IF cardinality(p_event_numeric_id) > 0 THEN
      INSERT INTO event (position, numeric_id, at, of_resource, action_id, body)
      SELECT first + ordinal - 1, numeric_id, at, of_resource, action_id, body FROM unnest(p_event_numeric_id, p_event_at, p_event_of_resource, p_event_action_id, p_event_body) WITH ORDINALITY AS given (numeric_id, at, of_resource, action_id, body, ordinal);
      UPDATE head SET position = position + cardinality(p_event_at),
        history_bytes = history_bytes + (SELECT sum(octet_length(body)) FROM unnest(p_event_body) AS body);
  END IF;
  IF cardinality(p_incident_place) > 0 THEN
      INSERT INTO incident (opened, numeric_id, id, body)
      SELECT first + place, numeric_id, id, body FROM unnest(p_incident_place, p_incident_change, p_incident_id, p_incident_numeric_id, p_incident_body) WITH ORDINALITY AS given (place, change, id, numeric_id, body, ordinal) WHERE change = 'opened' ORDER BY ordinal
      ON CONFLICT DO NOTHING;
      UPDATE incident SET closed = first + given.place, ended = given.body
      FROM unnest(p_incident_place, p_incident_change, p_incident_id, p_incident_numeric_id, p_incident_body) WITH ORDINALITY AS given (place, change, id, numeric_id, body, ordinal) WHERE given.change = 'closed' AND incident.id = given.id;
      UPDATE incident SET handled = handled || changes.bodies
      FROM (SELECT id, array_agg(body ORDER BY ordinal) AS bodies FROM unnest(p_incident_place, p_incident_change, p_incident_id, p_incident_numeric_id, p_incident_body) WITH ORDINALITY AS given (place, change, id, numeric_id, body, ordinal) WHERE change = 'handled' GROUP BY id)
        AS changes
      WHERE incident.id = changes.id;
  END IF;
  IF cardinality(p_action_id) > 0 THEN
      UPDATE action SET unsettled = given.unsettled, changed_at = given.changed_at, body = given.body
      FROM unnest(p_action_id, p_action_monitor_id, p_action_unsettled, p_action_changed_at, p_action_body) WITH ORDINALITY AS given (id, monitor_id, unsettled, changed_at, body, ordinal) WHERE action.id = given.id;
      INSERT INTO action (id, monitor_id, unsettled, changed_at, body, incarnation)
      SELECT given.id, given.monitor_id, given.unsettled, given.changed_at, given.body,
        CASE WHEN given.monitor_id IS NULL THEN NULL ELSE coalesce((
          SELECT uid FROM resource
          WHERE kind = 0 AND resource.id = given.monitor_id AND ended_by IS NULL), '') END
      FROM unnest(p_action_id, p_action_monitor_id, p_action_unsettled, p_action_changed_at, p_action_body) WITH ORDINALITY AS given (id, monitor_id, unsettled, changed_at, body, ordinal) WHERE NOT EXISTS (SELECT FROM action WHERE action.id = given.id) ORDER BY ordinal;
  END IF;
  IF cardinality(p_state_numeric_id) > 0 THEN
      DELETE FROM state USING unnest(p_state_numeric_id, p_state_body) WITH ORDINALITY AS given (numeric_id, body, ordinal) WHERE state.numeric_id = given.numeric_id AND given.body IS NULL;
      INSERT INTO state SELECT numeric_id, body FROM unnest(p_state_numeric_id, p_state_body) WITH ORDINALITY AS given (numeric_id, body, ordinal) WHERE body IS NOT NULL
      ON CONFLICT (numeric_id) DO UPDATE SET body = excluded.body;
  END IF;
  IF cardinality(p_push_numeric_id) > 0 THEN
      DELETE FROM push USING unnest(p_push_numeric_id, p_push_body) WITH ORDINALITY AS given (numeric_id, body, ordinal) WHERE push.numeric_id = given.numeric_id AND given.body IS NULL;
      INSERT INTO push SELECT numeric_id, body FROM unnest(p_push_numeric_id, p_push_body) WITH ORDINALITY AS given (numeric_id, body, ordinal) WHERE body IS NOT NULL
      ON CONFLICT (numeric_id) DO UPDATE SET body = excluded.body;
  END IF;
  IF cardinality(p_escalation_key) > 0 THEN
      DELETE FROM escalation USING unnest(p_escalation_key, p_escalation_body) WITH ORDINALITY AS given (key, body, ordinal) WHERE escalation.key = given.key AND given.body IS NULL;
      INSERT INTO escalation SELECT key, body FROM unnest(p_escalation_key, p_escalation_body) WITH ORDINALITY AS given (key, body, ordinal) WHERE body IS NOT NULL
      ON CONFLICT (key) DO UPDATE SET body = excluded.body;
  END IF;
  IF cardinality(p_revision_kind) > 0 THEN
      DELETE FROM revision USING unnest(p_revision_kind, p_revision_id, p_revision_until, p_revision_body) WITH ORDINALITY AS given (kind, id, until, body, ordinal)
      WHERE revision.kind = given.kind AND revision.id = given.id AND revision.until = given.until AND given.body IS NULL;
      INSERT INTO revision SELECT kind, id, until, body FROM unnest(p_revision_kind, p_revision_id, p_revision_until, p_revision_body) WITH ORDINALITY AS given (kind, id, until, body, ordinal) WHERE body IS NOT NULL
      ON CONFLICT (kind, id, until) DO UPDATE SET body = excluded.body;
  END IF;
  IF cardinality(p_counter_block_block) > 0 THEN
      INSERT INTO counter_block SELECT block, bytes FROM unnest(p_counter_block_block, p_counter_block_bytes) WITH ORDINALITY AS given (block, bytes, ordinal)
      ON CONFLICT (block) DO UPDATE SET bytes = excluded.bytes;
  END IF;
  IF cardinality(p_figure_name) > 0 THEN
      INSERT INTO figure SELECT name, body FROM unnest(p_figure_name, p_figure_body) WITH ORDINALITY AS given (name, body, ordinal) ON CONFLICT (name) DO UPDATE SET body = excluded.body;
  END IF;
  IF cardinality(p_resource_kind) > 0 THEN
      UPDATE resource SET ended_by = ending.change, ended_at = p_at
      FROM (SELECT kind, id, min(change) AS change FROM unnest(p_resource_kind, p_resource_id, p_resource_change, p_resource_uid, p_resource_labels, p_resource_tokens, p_resource_body, p_resource_sealed) WITH ORDINALITY AS given (kind, id, change, uid, labels, tokens, body, sealed, ordinal) GROUP BY kind, id) AS ending
      WHERE resource.kind = ending.kind AND resource.id = ending.id AND resource.ended_by IS NULL;
      GET DIAGNOSTICS ended = ROW_COUNT;
      INSERT INTO resource (kind, id, change, uid, labels, tokens, body, sealed, ended_by, ended_at)
      SELECT kind, id, change, uid, labels, tokens::text[], body, sealed, next,
        CASE WHEN next IS NULL THEN NULL ELSE p_at END
      FROM (SELECT *, lead(change) OVER (PARTITION BY kind, id ORDER BY change) AS next FROM unnest(p_resource_kind, p_resource_id, p_resource_change, p_resource_uid, p_resource_labels, p_resource_tokens, p_resource_body, p_resource_sealed) WITH ORDINALITY AS given (kind, id, change, uid, labels, tokens, body, sealed, ordinal)) AS versions
      WHERE body IS NOT NULL;
      GET DIAGNOSTICS made = ROW_COUNT;
      SELECT ended + count(*) INTO ended FROM (
        SELECT body, lead(change) OVER (PARTITION BY kind, id ORDER BY change) AS next FROM unnest(p_resource_kind, p_resource_id, p_resource_change, p_resource_uid, p_resource_labels, p_resource_tokens, p_resource_body, p_resource_sealed) WITH ORDINALITY AS given (kind, id, change, uid, labels, tokens, body, sealed, ordinal)) AS versions
      WHERE body IS NOT NULL AND next IS NOT NULL;
      INSERT INTO resource_change (change, kind, id, deleted) SELECT change, kind, id, body IS NULL FROM unnest(p_resource_kind, p_resource_id, p_resource_change, p_resource_uid, p_resource_labels, p_resource_tokens, p_resource_body, p_resource_sealed) WITH ORDINALITY AS given (kind, id, change, uid, labels, tokens, body, sealed, ordinal);
      UPDATE head SET resources = resources + made - ended, past_resources = past_resources + ended,
        last_change = greatest(last_change, (SELECT max(change) FROM unnest(p_resource_kind, p_resource_id, p_resource_change, p_resource_uid, p_resource_labels, p_resource_tokens, p_resource_body, p_resource_sealed) WITH ORDINALITY AS given (kind, id, change, uid, labels, tokens, body, sealed, ordinal)));
  END IF;
  IF cardinality(p_operation_id) > 0 THEN
      INSERT INTO operation SELECT id, body FROM unnest(p_operation_id, p_operation_body) WITH ORDINALITY AS given (id, body, ordinal) ON CONFLICT (id) DO UPDATE SET body = excluded.body;
  END IF;
  IF cardinality(p_bulk_id) > 0 THEN
      INSERT INTO bulk SELECT id, ended_at, body FROM unnest(p_bulk_id, p_bulk_ended_at, p_bulk_body) WITH ORDINALITY AS given (id, ended_at, body, ordinal)
      ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at, body = excluded.body;
  END IF;
  IF cardinality(p_bulk_outcome_operation) > 0 THEN
      INSERT INTO bulk_outcome SELECT operation, place, body FROM unnest(p_bulk_outcome_operation, p_bulk_outcome_place, p_bulk_outcome_body) WITH ORDINALITY AS given (operation, place, body, ordinal)
      ON CONFLICT (operation, place) DO UPDATE SET body = excluded.body;
  END IF;
  IF cardinality(p_execution_id) > 0 THEN
      INSERT INTO execution SELECT id, forget_at, body FROM unnest(p_execution_id, p_execution_forget_at, p_execution_body) WITH ORDINALITY AS given (id, forget_at, body, ordinal)
      ON CONFLICT (id) DO UPDATE SET forget_at = excluded.forget_at, body = excluded.body;
  END IF;
  IF cardinality(p_worker_statement_execution) > 0 THEN
      INSERT INTO worker_statement SELECT execution, id, body FROM unnest(p_worker_statement_execution, p_worker_statement_id, p_worker_statement_body) WITH ORDINALITY AS given (execution, id, body, ordinal)
      ON CONFLICT (execution, id) DO UPDATE SET body = excluded.body;
  END IF;
  IF cardinality(p_trend_level) > 0 THEN
      INSERT INTO trend SELECT level, key, bytes FROM unnest(p_trend_level, p_trend_key, p_trend_bytes) WITH ORDINALITY AS given (level, key, bytes, ordinal)
      ON CONFLICT (level, key) DO UPDATE SET bytes = excluded.bytes;
  END IF;
  IF cardinality(p_trend_open_level) > 0 THEN
      DELETE FROM trend_open USING unnest(p_trend_open_level, p_trend_open_block, p_trend_open_cell, p_trend_open_bytes) WITH ORDINALITY AS given (level, block, cell, bytes, ordinal)
      WHERE trend_open.level = given.level AND trend_open.block = given.block AND given.bytes IS NULL;
      INSERT INTO trend_open SELECT level, block, cell, bytes FROM unnest(p_trend_open_level, p_trend_open_block, p_trend_open_cell, p_trend_open_bytes) WITH ORDINALITY AS given (level, block, cell, bytes, ordinal) WHERE bytes IS NOT NULL
      ON CONFLICT (level, block) DO UPDATE SET cell = excluded.cell, bytes = excluded.bytes;
  END IF;
  UPDATE head SET committed_at = p_at, keeps_until = p_keeps_until, past_keeps_until = p_past_keeps_until,
    restored_at = NULL;
  RETURN QUERY SELECT 'committed'::text, head.position FROM head;
END $function$;

CREATE OR REPLACE FUNCTION forget_recent(
  p_run text, p_now double precision, p_rows bigint, p_past_before double precision,
  p_past_keeps_until double precision, p_changes bigint, p_operations bigint
) RETURNS bigint LANGUAGE plpgsql AS $function$
DECLARE
  remaining bigint := p_rows;
  gone bigint;
  stop bigint;
  expired bigint;
BEGIN
  PERFORM FROM run WHERE run = p_run AND fenced_by IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN -1; END IF;
  UPDATE head SET past_keeps_until = p_past_keeps_until WHERE past_keeps_until IS DISTINCT FROM p_past_keeps_until;
  IF p_past_before IS NOT NULL THEN
  SELECT min(ended_by) FILTER (WHERE ended_at >= p_past_before AND ended_at <= p_now) INTO stop FROM (
    SELECT ended_by, ended_at FROM resource WHERE ended_by >= 0 ORDER BY ended_by LIMIT 20000) AS entries;
  SELECT max(ended_by) INTO expired FROM (
    SELECT ended_by, ended_at FROM resource WHERE ended_by >= 0 ORDER BY ended_by LIMIT 20000) AS entries
  WHERE ended_at < p_past_before AND (stop IS NULL OR ended_by < stop);
  IF stop IS NULL AND expired IS NULL THEN
    SELECT ended_by INTO stop FROM resource WHERE ended_by >= 0 AND ended_at >= p_past_before AND ended_at <= p_now ORDER BY ended_by LIMIT 1;
    SELECT max(ended_by) INTO expired FROM resource
    WHERE ended_by >= 0 AND ended_at < p_past_before AND (stop IS NULL OR ended_by < stop);
  END IF;
    WITH removed AS (
      DELETE FROM resource WHERE ended_by IN (
        SELECT ended_by FROM resource WHERE ended_by <= expired ORDER BY ended_by LIMIT remaining)
      RETURNING ended_by)
    SELECT count(*), max(ended_by) INTO gone, expired FROM removed;
    IF gone > 0 THEN
      UPDATE head SET past_forgotten_up_to = expired, past_resources = past_resources - gone;
    END IF;
    remaining := remaining - gone;
  END IF;
  DELETE FROM resource_change WHERE change IN (
    SELECT change FROM resource_change WHERE change <= (SELECT last_change FROM head) - p_changes
    ORDER BY change LIMIT remaining);
  GET DIAGNOSTICS gone = ROW_COUNT;
  remaining := remaining - gone;
  WITH removed AS (
    DELETE FROM execution WHERE id IN (SELECT id FROM execution WHERE forget_at < p_now LIMIT remaining) RETURNING id),
  statements AS (DELETE FROM worker_statement WHERE execution IN (SELECT id FROM removed))
  SELECT count(*) INTO gone FROM removed;
  remaining := remaining - gone;
  DELETE FROM operation WHERE id IN (
    SELECT id FROM operation WHERE id <= (SELECT max(id) FROM operation) - p_operations ORDER BY id LIMIT remaining);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN p_rows - remaining + gone;
END $function$;

CREATE OR REPLACE FUNCTION forget_history(p_run text, p_now double precision, p_before double precision, p_rows bigint)
RETURNS bigint LANGUAGE plpgsql AS $function$
DECLARE
  remaining bigint := p_rows;
  gone bigint;
  stop bigint;
  expired bigint;
  first bigint;
  freed bigint;
  ended bigint;
BEGIN
  PERFORM FROM run WHERE run = p_run AND fenced_by IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN -1; END IF;
  SELECT oldest INTO first FROM head;
  SELECT min(position) FILTER (WHERE at >= p_before AND at <= p_now) INTO stop FROM (
    SELECT position, at FROM event WHERE position >= first ORDER BY position LIMIT 20000) AS entries;
  SELECT max(position) INTO expired FROM (
    SELECT position, at FROM event WHERE position >= first ORDER BY position LIMIT 20000) AS entries
  WHERE at < p_before AND (stop IS NULL OR position < stop);
  IF stop IS NULL AND expired IS NULL THEN
    SELECT position INTO stop FROM event WHERE position >= first AND at >= p_before AND at <= p_now ORDER BY position LIMIT 1;
    SELECT max(position) INTO expired FROM event
    WHERE position >= first AND at < p_before AND (stop IS NULL OR position < stop);
  END IF;
  IF expired IS NOT NULL THEN
    expired := least(expired, first + remaining - 1);
    WITH removed AS (
      DELETE FROM event WHERE position <= expired RETURNING at, action_id, octet_length(body) AS bytes),
    misdated AS (
      DELETE FROM action USING removed
      WHERE action.id = removed.action_id AND removed.at > p_now AND changed_at > p_now AND unsettled < 2)
    SELECT count(*), sum(bytes) INTO gone, freed FROM removed;
    UPDATE head SET oldest = expired + 1, history_bytes = history_bytes - freed;
    remaining := remaining - gone;
  END IF;
  DELETE FROM action WHERE number IN (
    SELECT number FROM action WHERE changed_at < p_before AND unsettled < 2 ORDER BY changed_at LIMIT remaining);
  GET DIAGNOSTICS gone = ROW_COUNT;
  remaining := remaining - gone;
  DELETE FROM incident WHERE opened IN (
    SELECT opened FROM incident WHERE closed < (SELECT oldest FROM head) ORDER BY closed LIMIT remaining);
  GET DIAGNOSTICS gone = ROW_COUNT;
  remaining := remaining - gone;
  DELETE FROM revision WHERE (kind, id, until) IN (
    SELECT kind, id, until FROM revision WHERE until < p_before ORDER BY until LIMIT remaining);
  GET DIAGNOSTICS gone = ROW_COUNT;
  remaining := remaining - gone;
  WHILE remaining > 0 LOOP
    SELECT id INTO ended FROM bulk WHERE ended_at < p_before ORDER BY ended_at LIMIT 1;
    EXIT WHEN NOT FOUND;
    DELETE FROM bulk_outcome WHERE operation = ended AND place IN (
      SELECT place FROM bulk_outcome WHERE operation = ended LIMIT remaining);
    GET DIAGNOSTICS gone = ROW_COUNT;
    remaining := remaining - gone;
    EXIT WHEN remaining <= 0;
    DELETE FROM bulk WHERE id = ended;
    remaining := remaining - 1;
  END LOOP;
  DELETE FROM identity WHERE numeric_id IN (
    SELECT numeric_id FROM identity WHERE removed_at < p_before
      AND NOT EXISTS (SELECT FROM event WHERE event.numeric_id = identity.numeric_id) LIMIT remaining);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN p_rows - remaining + gone;
END $function$;

CREATE OR REPLACE FUNCTION keep_trends(
  p_run text, p_level bigint[], p_key bigint[], p_bytes bytea[],
  p_removed_level bigint[], p_removed_below bigint[], p_removed_count bigint[]
) RETURNS bigint LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM FROM run WHERE run = p_run AND fenced_by IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN -1; END IF;
  INSERT INTO trend SELECT given.level, given.key, given.bytes FROM unnest(p_level, p_key, p_bytes) AS given (level, key, bytes)
  ON CONFLICT (level, key) DO UPDATE SET bytes = excluded.bytes;
  FOR place IN 1 .. cardinality(p_removed_level) LOOP
    DELETE FROM trend WHERE level = p_removed_level[place] AND key IN (
      SELECT key FROM trend WHERE level = p_removed_level[place] AND key < p_removed_below[place]
      ORDER BY key LIMIT p_removed_count[place]);
  END LOOP;
  RETURN 0;
END $function$;

CREATE OR REPLACE FUNCTION take_over(
  p_run text, p_before text, p_observed bigint, p_place text, p_epoch bigint, p_restores text, p_restored double precision
) RETURNS boolean LANGUAGE plpgsql AS $function$
DECLARE
  had_ended boolean;
BEGIN
  UPDATE run SET fenced_by = p_run WHERE run = p_before AND batch = p_observed AND fenced_by IS NULL
    RETURNING ended INTO had_ended;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO run (run, batch) VALUES (p_run, 0);
  UPDATE head SET run = p_run, place = p_place, epoch = p_epoch, restores = p_restores,
    restored_at = coalesce(p_restored, restored_at), takeovers = takeovers + CASE WHEN had_ended THEN 0 ELSE 1 END;
  -- Runs that ended long ago tell nobody anything; a process that wakes up finds that its run is gone.
  DELETE FROM run WHERE fenced_by IS NOT NULL AND run NOT IN (p_run, p_before);
  RETURN true;
END $function$;

CREATE OR REPLACE FUNCTION end_run(p_run text) RETURNS boolean LANGUAGE sql AS $function$
  UPDATE run SET ended = true WHERE run = p_run AND fenced_by IS NULL;
  SELECT true;
$function$;

CREATE OR REPLACE FUNCTION reseal_values(p_run text, p_kind bigint, p_id text[], p_change bigint[], p_sealed bytea[])
RETURNS bigint[] LANGUAGE plpgsql AS $function$
DECLARE
  replaced bigint[];
BEGIN
  PERFORM FROM run WHERE run = p_run AND fenced_by IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  WITH done AS (
    UPDATE resource SET sealed = given.sealed
    FROM unnest(p_id, p_change, p_sealed) AS given (id, change, sealed)
    WHERE resource.kind = p_kind AND resource.id = given.id AND resource.change = given.change
      AND resource.ended_by IS NULL AND resource.sealed IS NOT NULL
    RETURNING resource.change)
  SELECT coalesce(array_agg(change), '{}') INTO replaced FROM done;
  RETURN replaced;
END $function$;

CREATE OR REPLACE FUNCTION change_sessions(
  p_run text, p_key text[], p_digest text[], p_opened_at double precision[], p_ended text[]
) RETURNS boolean LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM FROM run WHERE run = p_run AND fenced_by IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM session WHERE key = ANY (p_ended);
  INSERT INTO session (key, digest, opened_at) SELECT * FROM unnest(p_key, p_digest, p_opened_at)
    ON CONFLICT (key) DO NOTHING;
  RETURN true;
END $function$;
INSERT INTO head (format, identity, place, run, epoch)
SELECT 7, '', place, 'none', 0 FROM (
  SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || 'head'::regclass::oid AS place) AS here;
INSERT INTO run (run, batch, ended) VALUES ('none', 0, true);
