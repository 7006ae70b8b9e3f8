// store/postgres/run-functions.ts: the server-side functions about the run that has the store: taking it over, ending it,
// and the writes that are no batch. See take-over.ts.

/** False if somebody else was faster. `p_restored` is null unless the tables are a restored copy. */
const takeOver = `
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
END $function$;`

const endRun = `
CREATE OR REPLACE FUNCTION end_run(p_run text) RETURNS boolean LANGUAGE sql AS $function$
  UPDATE run SET ended = true WHERE run = p_run AND fenced_by IS NULL;
  SELECT true;
$function$;`

/** Returns the changes of the values that were replaced; null if another run has the store. */
const reseal = `
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
END $function$;`

/** False if another run has the store. */
const changeSessions = `
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
END $function$;`

export const runFunctions: readonly string[] = [takeOver, endRun, reseal, changeSessions]
