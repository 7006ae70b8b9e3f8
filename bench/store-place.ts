// bench/store-place.ts: where the service of a benchmark keeps its state: in its data directory, or in a PostgreSQL that
// the benchmark starts on the same machine, as durable as Debian sets it up. Its CPU time is not counted as the service's.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { postgresPlace, postgresql, startPostgresql } from '@pulseward/testing/servers'
import { oneOf, UsageError } from '../scripts/command-line/flags.ts'

export type StoreName = 'sqlite' | 'postgres'
export const storeNames = ['sqlite', 'postgres'] as const satisfies readonly StoreName[]

export const storeFlag = oneOf(storeNames, 'sqlite', 'where the state is kept')

export interface StorePlace extends AsyncDisposable {
  /** For the service. */
  readonly environment: NodeJS.ProcessEnv
}

export async function openStorePlace(name: StoreName): Promise<StorePlace> {
  await using owned = new AsyncDisposableStack()
  const environment: NodeJS.ProcessEnv = {}
  if (name === 'postgres') {
    const program = postgresql.find()
    if (program === null) throw new UsageError('PostgreSQL is not installed (apt-get install postgresql).')
    const server = owned.use(await startPostgresql(program, { fsync: 'on' }))
    const leaveNothing = () => {
      void server.kill()
      rmSync(dirname(server.data), { recursive: true, force: true })
    }
    process.once('exit', leaveNothing)
    owned.defer(() => void process.off('exit', leaveNothing))
    environment['PULSEWARD_STORE'] = owned.use(postgresPlace(server)).url
  }
  const started = owned.move()
  return { environment, [Symbol.asyncDispose]: () => started.disposeAsync() }
}
