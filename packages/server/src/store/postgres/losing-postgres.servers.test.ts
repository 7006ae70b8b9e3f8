// PostgreSQL is lost in every way that there is, under the whole service: it says which, pauses, and goes on by itself when
// that is mended. What was decided is not lost, and nobody is told twice.
import { writeFileSync } from 'node:fs'
import { eventually, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { ServiceOnFiles } from '@pulseward/testing/process'
import {
  describeServer,
  freePort,
  type PostgresPlace,
  postgresPlace,
  postgresql,
  type RunningPostgresql,
  SeveredProxy,
  startPostgresql,
  startStandby,
} from '@pulseward/testing/servers'
import { certificates } from '@pulseward/testing/targets'
import { afterAll, beforeAll, expect, it } from 'vitest'

interface World {
  readonly program: string
  readonly server: RunningPostgresql
  readonly place: PostgresPlace
  readonly folder: TemporaryFolder
  readonly owned: AsyncDisposableStack
}

/** One way to lose it. */
interface Loss {
  /** What `state` says, in part. */
  readonly says: RegExp
  lose(): Promise<void>
  mend(): Promise<void>
}

interface Prepared extends Loss {
  /** The setting `store`. */
  readonly store: string
  readonly words?: readonly string[]
}

/** How often a delivery is tried, and whether the machine stalls meanwhile, depends on what else it does. */
const story = [
  'incident_opened',
  'action_succeeded red ops accepted',
  'incident_closed recovered',
  'action_succeeded green ops accepted',
]

async function storyOf(service: ServiceOnFiles): Promise<string[]> {
  const told = await service.story()
  return told.filter((line) => line !== 'own_fault' && !/^action_(queued|started|failed) /.test(line))
}

const losses: Readonly<Record<string, (world: World) => Promise<Prepared>>> = {
  async 'the connection is lost'({ server, place, owned }) {
    const proxy = owned.use(await SeveredProxy.before(server.port))
    const nobody = await freePort()
    return {
      store: place.url.replace(`:${server.port}/`, `:${proxy.port}/`),
      says: /cannot be reached|was lost/,
      async lose() {
        proxy.target = nobody
        proxy.cutAll()
      },
      async mend() {
        proxy.target = server.port
      },
    }
  },

  async 'nothing passes the network any more'({ server, place, owned }) {
    const proxy = owned.use(await SeveredProxy.before(server.port))
    return {
      store: place.url.replace(`:${server.port}/`, `:${proxy.port}/`),
      says: /does not answer/,
      async lose() {
        proxy.silent = true
      },
      async mend() {
        proxy.silent = false
      },
    }
  },

  async 'its machine crashes and starts again'({ server, place }) {
    return {
      store: place.url,
      says: /cannot be reached|was lost/,
      lose: () => server.kill(),
      mend: () => server.startAgain(),
    }
  },

  async 'its disk is full'({ place }) {
    return {
      store: place.url,
      says: /disk of PostgreSQL is full/,
      lose: () => atEachEvent(place, "RAISE 'no space left on device' USING ERRCODE = '53100'"),
      mend: () => atEachEvent(place, 'NULL'),
    }
  },

  async 'a statement hangs'({ place }) {
    return {
      store: place.url,
      says: /does not answer/,
      lose: () => atEachEvent(place, 'PERFORM pg_sleep(3600)'),
      async mend() {
        await atEachEvent(place, 'NULL')
        await place.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
      },
    }
  },

  async 'its certificate has expired'({ place, folder }) {
    const [files] = await place.run<{ certificate: string; key: string }>(
      "SELECT current_setting('ssl_cert_file') AS certificate, current_setting('ssl_key_file') AS key",
    )
    const show = async ({ certificate, key }: (typeof certificates)['good']) => {
      writeFileSync(files!.certificate, certificate)
      writeFileSync(files!.key, key)
      await place.run('SELECT pg_reload_conf()')
      await place.run(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE ssl',
      )
    }
    const authority = folder.write('authority.pem', certificates.authority)
    return {
      store: `${place.url}&sslmode=verify-full&sslrootcert=${authority}`,
      says: /certificate of PostgreSQL has expired/,
      lose: () => show(certificates.expired),
      mend: () => show(certificates.good),
    }
  },

  async 'its password is changed'({ server, place, folder }) {
    const passwordFile = folder.write('password', 'first')
    await place.run("CREATE ROLE changing LOGIN SUPERUSER PASSWORD 'first'")
    return {
      store: `postgres://changing@127.0.0.1:${server.port}/postgres?schema=${place.address.schema}`,
      words: ['--store-password-file', passwordFile],
      says: /refuses the password/,
      async lose() {
        await place.run("ALTER ROLE changing PASSWORD 'second'")
        await place.run(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'changing' AND backend_type = 'client backend'",
        )
      },
      async mend() {
        writeFileSync(passwordFile, 'second')
      },
    }
  },

  async 'it fails over to its standby'({ program, owned }) {
    const primary = owned.use(await startPostgresql(program))
    const standby = owned.use(await startStandby(program, primary))
    const place = owned.use(postgresPlace(primary))
    const promoted = owned.use(postgresPlace(standby))
    await place.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
    await place.run('SELECT pg_reload_conf()')
    const synchronous = "SELECT 1 AS one FROM pg_stat_replication WHERE sync_state = 'sync'"
    while ((await place.run(synchronous)).length === 0);
    return {
      store: place.url.replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${standby.port}/`),
      says: /cannot be reached|was lost|standby in recovery/,
      lose: () => primary.kill(),
      async mend() {
        await promoted.run('SELECT pg_promote()')
      },
    }
  },
}

describeServer(postgresql, (program) => {
  let server: RunningPostgresql
  beforeAll(async () => {
    server = await startPostgresql(program)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  it.for(Object.keys(losses))('says so, pauses, and goes on by itself: %s', async (name) => {
    await using owned = new AsyncDisposableStack()
    const folder = owned.use(temporaryFolder())
    const place = owned.use(postgresPlace(server))
    const {
      store,
      words = [],
      says,
      lose,
      mend,
    } = await losses[name]!({ program, server, place, folder, owned })
    const service = owned.use(await ServiceOnFiles.start({ data: folder.path('data'), store, words }))
    const told = () => service.provider.requests.length
    service.breakTarget()
    await eventually(async () => expect(await storyOf(service)).toHaveLength(story.length / 2))
    expect(told()).toBe(1)

    await lose()
    service.mendTarget()
    await eventually(async () => expect(await service.readiness()).toContain('storage_unavailable'))
    await eventually(async () => expect((await service.get('state')).body.storage.error).toMatch(says))
    expect(told()).toBe(1)

    await mend()
    await eventually(async () => expect((await storyOf(service)).sort()).toEqual([...story].sort()))
    await eventually(async () => expect(await service.readiness()).toEqual([]))
    expect(told()).toBe(2)
  })
})

/** Runs this for each event that a commit writes. */
async function atEachEvent(place: PostgresPlace, statement: string): Promise<void> {
  const { schema } = place.address
  await place.run(`
    CREATE OR REPLACE FUNCTION ${schema}.at_event() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${statement}; RETURN NEW; END $$`)
  const [made] = await place.run(
    `SELECT 1 AS one FROM pg_trigger WHERE tgname = 'at_event' AND tgrelid = '${schema}.event'::regclass`,
  )
  if (made === undefined)
    await place.run(
      `CREATE TRIGGER at_event BEFORE INSERT ON ${schema}.event FOR EACH ROW EXECUTE FUNCTION ${schema}.at_event()`,
    )
}
