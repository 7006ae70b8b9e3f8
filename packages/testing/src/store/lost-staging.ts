// store/lost-staging.ts: loses what is staged for a service on a data directory, wherever its store has it.
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { dataDirectory } from '@pulseward/server/internal/store/data-directory.ts'
import { testDatabase } from './test-database.ts'

export async function loseStaged(data: string): Promise<void> {
  rmSync(dataDirectory(data).staging, { recursive: true, force: true })
  const url = testDatabase(resolve(data))
  if (url === null) return
  const { parsePostgresUrl } = await import('@pulseward/server/internal/store/postgres/address.ts')
  const { PostgresConnection } = await import('@pulseward/server/internal/store/postgres/connection.ts')
  const address = parsePostgresUrl(url)
  const connection = await PostgresConnection.open({
    address,
    passwordFile: null,
    name: 'a test',
    writes: true,
  })
  for (const table of ['staged_plan', 'staged_item', 'staged']) await connection.query(`DELETE FROM ${table}`)
  await connection.end()
}
