// Three real services on a real PostgreSQL under twenty faults; `npm run failover` is the long run.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../files/temporary-folder.ts'
import {
  describeServer,
  postgresPlace,
  postgresql,
  type RunningPostgresql,
  startPostgresql,
} from '../servers/index.ts'
import { runFailover } from './failover-run.ts'
import { measureTakeover } from './takeover-time.ts'

describeServer(postgresql, (program) => {
  let server: RunningPostgresql
  beforeAll(async () => {
    server = await startPostgresql(program)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  it('does nothing twice, loses nothing and tells every incident over twenty faults', {
    timeout: 1_200_000,
  }, async () => {
    using folder = temporaryFolder()
    using place = postgresPlace(server)
    const report = await runFailover({
      faults: 20,
      monitors: 40,
      seed: 20_260_101,
      database: server,
      place,
      storeBy: (port) => place.url.replace(`:${server.port}/`, `:${port}/`),
      folder,
      onFault() {},
    })
    expect(report.violations).toEqual([])
    expect(report.takeovers).toBeGreaterThan(0)
    expect(report.effects).toBeGreaterThan(0)
  })

  it('checks again soon after the active process was killed, and sooner after it was stopped', {
    timeout: 600_000,
  }, async () => {
    using folder = temporaryFolder()
    using place = postgresPlace(server)
    const times = await measureTakeover({
      monitors: 200,
      database: server,
      storeBy: (port) => place.url.replace(`:${server.port}/`, `:${port}/`),
      folder,
    })
    // Nothing waits the five seconds after a graceful stop.
    expect(times.stopToFirstCheckMs).toBeLessThan(times.killToFirstCheckMs)
  })
})
