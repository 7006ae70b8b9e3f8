import {
  describeServer,
  postgresPlace,
  postgresql,
  type RunningPostgresql,
  startPostgresql,
} from '@pulseward/testing/servers'
import { storeContract } from '@pulseward/testing/store-contract'
import { afterAll, beforeAll } from 'vitest'
import { PostgresStore } from './postgres-store.ts'

describeServer(postgresql, (program) => {
  let server: RunningPostgresql
  beforeAll(async () => {
    server = await startPostgresql(program)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  storeContract('postgres', async (now, bounds) => {
    const place = postgresPlace(server)
    const { address, staging } = place
    const options = {
      address,
      staging,
      passwordFile: null,
      now,
      beats: false,
      ...(bounds === undefined ? {} : { bounds }),
    }
    let current = await PostgresStore.open(options)
    return {
      store: current,
      async reopen() {
        await current[Symbol.asyncDispose]()
        current = await PostgresStore.open(options)
        return current
      },
      async fence() {
        await place.run("UPDATE run SET fenced_by = 'another'")
      },
      async [Symbol.asyncDispose]() {
        await current[Symbol.asyncDispose]()
        place[Symbol.dispose]()
      },
    }
  })
})
