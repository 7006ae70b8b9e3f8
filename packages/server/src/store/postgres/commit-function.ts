// store/postgres/commit-function.ts: the server-side function that commits a batch in one round trip. Its first statement
// is the fence: it counts the batch for its run, if the run still has the store and this is its next batch.
import { type RowSet, rowSetNames, rowSets } from './record-sets.ts'

/** The parameters before the rows. */
const headParameters = [
  'p_run text',
  'p_batch bigint',
  'p_at double precision',
  'p_keeps_until double precision',
  'p_past_keeps_until double precision',
]

export const commitCall = `SELECT outcome, reached FROM commit_batch(${Array.from(
  { length: headParameters.length + columnNames().length },
  (_, index) => `$${index + 1}`,
).join(', ')})`

/**
 * The outcome: `committed`; `there` if the batch was committed before and its answer was lost; `fenced` if another run
 * has taken the store over; `lost` if the database does not have what it acknowledged before.
 */
export function commitFunction(): string {
  return `
CREATE OR REPLACE FUNCTION commit_batch(
  ${[...headParameters, ...columnNames().map(({ name, type }) => `${name} ${type}[]`)].join(',\n  ')}
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
${rowSetNames.map((name) => writeOf(name, rowSets[name])).join('\n')}
  UPDATE head SET committed_at = p_at, keeps_until = p_keeps_until, past_keeps_until = p_past_keeps_until,
    restored_at = NULL;
  RETURN QUERY SELECT 'committed'::text, head.position FROM head;
END $function$;`
}

function writeOf(name: string, { columns, write }: RowSet): string {
  const names = Object.keys(columns)
  const arrays = names.map((column) => `p_${name}_${column}`)
  const given = `unnest(${arrays.join(', ')}) WITH ORDINALITY AS given (${[...names, 'ordinal'].join(', ')})`
  const statements = write.replaceAll(/\b(FROM|USING) given\b/g, `$1 ${given}`)
  return `  IF cardinality(${arrays[0]}) > 0 THEN${statements}\n  END IF;`
}

function columnNames(): { name: string; type: string }[] {
  return rowSetNames.flatMap((set) =>
    Object.entries(rowSets[set].columns).map(([column, type]) => ({ name: `p_${set}_${column}`, type })),
  )
}
