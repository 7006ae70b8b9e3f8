// store/postgres/prepare-schema.ts: makes the tables of a store at the first start, or brings them to the current format.
// Each script is sent as one text, which PostgreSQL carries out as a whole or not at all.
import { UsageError } from '../../platform/usage-error.ts'
import { newEpoch } from '../epoch.ts'
import { identityText } from '../rows.ts'
import { StoreError } from '../store.ts'
import { storeError } from '../store-errors.ts'
import { newStoreIdentity } from '../store-identity.ts'
import type { PostgresAddress } from './address.ts'
import type { PostgresConnection } from './connection.ts'
import { currentFormat, formatSteps, placeQuery, storeFunctions } from './format.ts'
import { sqlStateOf } from './postgres-errors.ts'
import { quietOwner } from './take-over.ts'

const insufficientPrivilege = '42501'
/** Somebody else makes the same tables at the same time. */
const alreadyThere = ['42P06', '42P07', '23505', '42710']

/**
 * Rejects with a StoreError if the tables cannot be made, are of a newer format, or are of an earlier one that a process
 * of the earlier version still uses.
 */
export async function prepareSchema(connection: PostgresConnection, schema: string): Promise<void> {
  const format = (await formatOf(connection)) ?? (await makeSchema(connection, schema))
  if (format > currentFormat) throw storeError('newer_format')
  if (format < currentFormat) await quietOwner(connection)
  for (let step = format; step < currentFormat; step++) await connection.query(stepScript(step))
  await connection.query("UPDATE head SET identity = $1, epoch = $2 WHERE identity = ''", [
    identityText(newStoreIdentity()),
    newEpoch(),
  ])
}

/** Null if there is no store. */
export async function formatOf(connection: PostgresConnection): Promise<number | null> {
  const [found] = await connection.query<{ table: string | null }>(
    `SELECT to_regclass('head')::text AS table`,
  )
  if (found?.table == null) return null
  const [head] = await connection.query<{ format: number }>('SELECT format FROM head')
  if (head === undefined) throw storeError('corrupt', '(head: it is empty)')
  return head.format
}

/** Rejects with a UsageError if there is no store, and with a StoreError if it is of another version. */
export async function requireStore(
  connection: PostgresConnection,
  { shown }: PostgresAddress,
): Promise<void> {
  const format = await formatOf(connection)
  if (format === null) throw new UsageError(`There is no store in ${shown}.`)
  if (format > currentFormat) throw storeError('newer_format')
  if (format < currentFormat)
    throw new StoreError('io', `The store in ${shown} is of an earlier version; run pulseward store init.`)
}

/** The statements that make a new store, without an identity: that has a secret, and is made by the first start. */
export function initScript(schema: string, makesSchema = true): string {
  const name = `"${schema.replaceAll('"', '""')}"`
  return `${makesSchema ? `CREATE SCHEMA IF NOT EXISTS ${name};\n` : ''}SET search_path = ${name};
${formatSteps.join('\n')}
${storeFunctions}
INSERT INTO head (format, identity, place, run, epoch)
SELECT ${currentFormat}, '', place, 'none', 0 FROM (${placeQuery}) AS here;
INSERT INTO run (run, batch, ended) VALUES ('none', 0, true);
`
}

/** Returns its format. */
export async function makeSchema(connection: PostgresConnection, schema: string): Promise<number> {
  try {
    // Even with IF NOT EXISTS, making a schema needs a privilege that is not needed for one that is there.
    const [there] = await connection.query<{ found: string | null }>(
      'SELECT to_regnamespace(quote_ident($1))::text AS found',
      [schema],
    )
    await connection.query(initScript(schema, there?.found == null))
  } catch (error) {
    const code = sqlStateOf(error)
    if (code === insufficientPrivilege)
      throw new StoreError(
        'io',
        `The role may not make the schema of the store; have pulseward store init run by one that may, or run what pulseward store init --print shows. (${code})`,
        { cause: error },
      )
    if (code === null || !alreadyThere.includes(code)) throw error
  }
  return (await formatOf(connection)) ?? 0
}

function stepScript(from: number): string {
  return `LOCK TABLE head IN ACCESS EXCLUSIVE MODE;
DO $check$ BEGIN
  IF (SELECT format FROM head) <> ${from} THEN RAISE 'the format has changed meanwhile'; END IF;
END $check$;
${formatSteps[from]}
${storeFunctions}
UPDATE head SET format = ${from + 1};
`
}
