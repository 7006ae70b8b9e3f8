// store/test-database.ts: the PostgreSQL in which tests of the service keep its state, if PULSEWARD_TEST_POSTGRES names
// one (`npm run test:servers` does): each store or data directory has a schema of its own. Without it they keep the state
// in memory and in files.
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'

/** The URL of a store by this name; null if the tests use no PostgreSQL. */
export function testDatabase(name: string): string | null {
  const database = process.env['PULSEWARD_TEST_POSTGRES']
  if (database === undefined) return null
  return `${database}?schema=of_${createHash('sha256').update(name).digest('hex').slice(0, 24)}`
}

/** How the service calls its store, if it calls it `otherwise` without PostgreSQL. */
export function testStoreMode(otherwise: 'memory' | 'sqlite'): 'memory' | 'sqlite' | 'postgres' {
  return testDatabase('') === null ? otherwise : 'postgres'
}

/** For a service that is started on a data directory: the next one that is started there has the same store. */
export function testStoreSetting(data: string): { readonly PULSEWARD_STORE?: string } {
  const url = testDatabase(resolve(data))
  return url === null ? {} : { PULSEWARD_STORE: url }
}
