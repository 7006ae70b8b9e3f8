// store/postgres/forget-functions.ts: the server-side functions that remove what has expired, at most some rows per call.
// Each begins with the fence, and returns -1 if another run has taken the store over. Logs are in chronological order:
// removal goes from the oldest entry on and stops at the first whose time is past but not expired; an entry with a time
// in the future was stamped by a wrong clock, and is as old as the entries after it.

/** Searched first: nearly always enough, and read quickly. */
const windowRows = 20_000

const fence = `
  PERFORM FROM run WHERE run = p_run AND fenced_by IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN -1; END IF;`

/** Sets `expired` to the last entry of a log that has expired; null if there is none. */
function findExpired(table: string, key: string, at: string, from: string, before: string): string {
  const kept = `${at} >= ${before} AND ${at} <= p_now`
  return `
  SELECT min(${key}) FILTER (WHERE ${kept}) INTO stop FROM (
    SELECT ${key}, ${at} FROM ${table} WHERE ${key} >= ${from} ORDER BY ${key} LIMIT ${windowRows}) AS entries;
  SELECT max(${key}) INTO expired FROM (
    SELECT ${key}, ${at} FROM ${table} WHERE ${key} >= ${from} ORDER BY ${key} LIMIT ${windowRows}) AS entries
  WHERE ${at} < ${before} AND (stop IS NULL OR ${key} < stop);
  IF stop IS NULL AND expired IS NULL THEN
    SELECT ${key} INTO stop FROM ${table} WHERE ${key} >= ${from} AND ${kept} ORDER BY ${key} LIMIT 1;
    SELECT max(${key}) INTO expired FROM ${table}
    WHERE ${key} >= ${from} AND ${at} < ${before} AND (stop IS NULL OR ${key} < stop);
  END IF;`
}

/** What is kept for minutes, or as a fixed number of the latest. */
const forgetRecent = `
CREATE OR REPLACE FUNCTION forget_recent(
  p_run text, p_now double precision, p_rows bigint, p_past_before double precision,
  p_past_keeps_until double precision, p_changes bigint, p_operations bigint
) RETURNS bigint LANGUAGE plpgsql AS $function$
DECLARE
  remaining bigint := p_rows;
  gone bigint;
  stop bigint;
  expired bigint;
BEGIN${fence}
  UPDATE head SET past_keeps_until = p_past_keeps_until WHERE past_keeps_until IS DISTINCT FROM p_past_keeps_until;
  IF p_past_before IS NOT NULL THEN${findExpired('resource', 'ended_by', 'ended_at', '0', 'p_past_before')}
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
END $function$;`

/** Events first: a monitor is removed only after its last event. */
const forgetHistory = `
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
BEGIN${fence}
  SELECT oldest INTO first FROM head;${findExpired('event', 'position', 'at', 'first', 'p_before')}
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
END $function$;`

/** Days that were summed up, and blocks that have expired: the lowest keys below a limit, as many as were counted. */
const keepTrends = `
CREATE OR REPLACE FUNCTION keep_trends(
  p_run text, p_level bigint[], p_key bigint[], p_bytes bytea[],
  p_removed_level bigint[], p_removed_below bigint[], p_removed_count bigint[]
) RETURNS bigint LANGUAGE plpgsql AS $function$
BEGIN${fence}
  INSERT INTO trend SELECT given.level, given.key, given.bytes FROM unnest(p_level, p_key, p_bytes) AS given (level, key, bytes)
  ON CONFLICT (level, key) DO UPDATE SET bytes = excluded.bytes;
  FOR place IN 1 .. cardinality(p_removed_level) LOOP
    DELETE FROM trend WHERE level = p_removed_level[place] AND key IN (
      SELECT key FROM trend WHERE level = p_removed_level[place] AND key < p_removed_below[place]
      ORDER BY key LIMIT p_removed_count[place]);
  END LOOP;
  RETURN 0;
END $function$;`

export const forgetFunctions: readonly string[] = [forgetRecent, forgetHistory, keepTrends]
