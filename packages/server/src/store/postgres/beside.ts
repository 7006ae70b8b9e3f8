// store/postgres/beside.ts: what other threads do with a store in PostgreSQL: read resources over a connection of their
// own, and stage items in PostgreSQL, over another one, with copies in files of this machine.
import type { BesideAddress, StoreBeside } from '../beside.ts'
import type { ReadKey, ReadResource } from '../resource-reader.ts'
import { headOf } from '../resource-rows.ts'
import { StagingFolder } from '../sqlite/staging/staging-folder.ts'
import type { PostgresAddress } from './address.ts'
import { ReadingPool } from './reading-pool.ts'
import { SharedStaging } from './staging.ts'

/** Everything that another thread of this process needs. Never shown to anybody. */
export interface PostgresPlace {
  readonly address: PostgresAddress
  readonly passwordFile: string | null
  /** The folder of the copies of staged items. */
  readonly staging: string
  /** The run that has the store. */
  readonly run: string
}

export function addressOf(place: PostgresPlace): BesideAddress {
  return { mode: 'postgres', place: JSON.stringify(place) }
}

export function openPostgresBeside({ place }: BesideAddress): StoreBeside {
  const { address, passwordFile, staging: folder, run } = JSON.parse(place) as PostgresPlace
  const pool = new ReadingPool({ address, passwordFile, name: 'pulseward reading', writes: false }, 1)
  const staging = new SharedStaging({ address, passwordFile, run }, new StagingFolder(folder))
  return {
    resources: { read: (keys) => readResources(pool, keys) },
    staging,
    [Symbol.dispose]() {
      void pool[Symbol.asyncDispose]()
      void staging[Symbol.asyncDispose]()
    },
  }
}

interface Row {
  readonly place: number
  readonly change: number
  readonly labels: string
  readonly body: string
}

async function readResources(
  pool: ReadingPool,
  keys: readonly ReadKey[],
): Promise<readonly (ReadResource | null)[]> {
  const rows = await pool.query<Row>(
    `SELECT place, change, labels, body FROM resource
     JOIN unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS wanted (of_kind, of_id, place)
     ON kind = of_kind AND id = of_id WHERE ended_by IS NULL`,
    [keys.map(([kind]) => kind), keys.map(([, id]) => id)],
  )
  const found: (ReadResource | null)[] = keys.map(() => null)
  for (const { place, change, labels, body } of rows) found[place - 1] = readResource(change, labels, body)
  return found
}

function readResource(change: number, labels: string, body: string): ReadResource {
  const end = body.indexOf('\n')
  const [uid, generation, createdAt, , name] = headOf(body, end)
  return { change, uid, generation, createdAt, name, labels, spec: body.slice(end + 1) }
}
