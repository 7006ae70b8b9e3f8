// scripts/test/start-postgres.ts: runs once before the suites on PostgreSQL: starts the server that all of them share.
import { postgresql, startPostgresql } from '@pulseward/testing/servers'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: string
  }
}

export default async function startSharedPostgres(project: TestProject): Promise<() => PromiseLike<void>> {
  const program = postgresql.find()
  if (program === null) throw new Error('PostgreSQL is not installed: npm run test:servers installs it.')
  const server = await startPostgresql(program)
  const { user, password, port } = server
  project.provide('postgres', `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`)
  return () => server[Symbol.asyncDispose]()
}
