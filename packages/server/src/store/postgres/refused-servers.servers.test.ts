// What the service says of a server on which no store can be kept: at the start it ends with one sentence, and with exit
// code 2 if somebody has to change something, with 3 if the server may be there soon.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { eventually, temporaryFolder } from '@pulseward/testing'
import { runCommand } from '@pulseward/testing/process'
import {
  describeServer,
  freePort,
  type PostgresPlace,
  pgbouncer,
  postgresPlace,
  postgresql,
  type RunningPostgresql,
  startPgbouncer,
  startPostgresql,
  startStandby,
} from '@pulseward/testing/servers'
import { afterAll, beforeAll, expect, it } from 'vitest'

const wrong = 2
const away = 3

describeServer(postgresql, (program) => {
  let server: RunningPostgresql
  let place: PostgresPlace
  beforeAll(async () => {
    server = await startPostgresql(program)
    place = postgresPlace(server)
  })
  afterAll(async () => {
    place?.[Symbol.dispose]()
    await server?.[Symbol.asyncDispose]()
  })

  const urlOf = ({ port = server.port, database = 'postgres', more = '' } = {}) =>
    `postgres://${server.user}:${encodeURIComponent(server.password)}@127.0.0.1:${port}/${database}${more}`

  /** What it prints when it has ended. */
  async function refusalOf(url: string, expected = wrong): Promise<string> {
    using folder = temporaryFolder()
    const fleet = folder.write('fleet.json', '{ "version": 1, "monitors": [] }')
    const words = ['serve', '--listen', '127.0.0.1:0', '--allow-empty', '--config', fleet]
    const { code, stdout, stderr } = await runCommand([...words, '--data', folder.path('data')], {
      environment: { PULSEWARD_STORE: url },
    })
    expect(stderr.trimEnd().split('\n'), `${stdout}${stderr}`).toHaveLength(1)
    expect(code).toBe(expected)
    return stderr
  }

  it('refuses a database of another encoding', async () => {
    await place.run("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    expect(await refusalOf(urlOf({ database: 'latin' }))).toMatch(/encoding LATIN1; create one with ENCODING/)
  })

  it('refuses a read-only database', async () => {
    await place.run('CREATE DATABASE frozen')
    await place.run('ALTER DATABASE frozen SET default_transaction_read_only = on')
    expect(await refusalOf(urlOf({ database: 'frozen' }))).toMatch(/database is read-only; end its/)
  })

  it('refuses a standby in recovery', async () => {
    await using standby = await startStandby(program, server)
    expect(await refusalOf(urlOf({ port: standby.port }))).toMatch(/standby in recovery, .* primary/)
  })

  it('ends with exit code 3 where nothing listens, and where no connection is left', async () => {
    const port = await freePort()
    expect(await refusalOf(urlOf({ port }), away)).toMatch(/cannot be reached; see whether it runs/)
    await place.run('CREATE DATABASE crowded CONNECTION LIMIT 0')
    await place.run("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    const url = `postgres://guest:guest@127.0.0.1:${server.port}/crowded`
    expect(await refusalOf(url, away)).toMatch(/has no connection left/)
  })

  it('refuses files of TLS that are missing, or no certificates', async () => {
    using folder = temporaryFolder()
    const withAuthority = (file: string) => urlOf({ more: `?sslmode=verify-full&sslrootcert=${file}` })
    expect(await refusalOf(withAuthority(folder.path('none')))).toMatch(/for TLS cannot be read; .*ENOENT/)
    const noPem = folder.write('authority.pem', 'not a certificate')
    expect(await refusalOf(withAuthority(noPem))).toMatch(/certificate of PostgreSQL cannot be trusted/)
  })

  it.for<[kind: string, answer: (client: Socket) => void, sentence: RegExp, code: number]>([
    [
      'speaks HTTP',
      (client) => client.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'),
      /PostgreSQL/,
      away,
    ],
    ['closes the connection', (client) => client.destroy(), /connection to PostgreSQL was lost/, away],
    ['says nothing', () => {}, /PostgreSQL does not answer; see/, away],
    [
      'is as old as PostgreSQL 13',
      (client) => speakAs(client, 'PostgreSQL 13.22', 130_022),
      /too old; use 14/,
      wrong,
    ],
    [
      'says that it is another',
      (client) => speakAs(client, 'Other v23.1', 130_000),
      /not PostgreSQL; use/,
      wrong,
    ],
  ])('refuses a server that %s', async ([, answer, sentence, code]) => {
    const clients = new Set<Socket>()
    const other = createServer((client) => {
      clients.add(client.on('error', () => {}))
      client.once('data', () => answer(client))
    })
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    try {
      const { port } = other.address() as AddressInfo
      expect(await refusalOf(urlOf({ port }), code)).toMatch(sentence)
    } finally {
      for (const client of clients) client.destroy()
      other.close()
    }
  })

  describeServer(pgbouncer, (pool) => {
    // In both modes alike: from a connection it cannot be seen for how long the pool keeps the session.
    it.for(['transaction', 'session'] as const)('refuses a pool in %s mode', async (mode) => {
      await using running = await startPgbouncer(pool, mode, server)
      // On a busy machine a pool may take longer to connect than a service waits at its start.
      const refusal = await eventually(() => refusalOf(urlOf({ port: running.port })))
      expect(refusal).toMatch(/pool such as PgBouncer/)
    })
  })
})

/** Lets in whoever comes, and answers every question with what PostgreSQL tells of itself. */
function speakAs(client: Socket, version: string, number: number): void {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const word = (value: number) => {
    const bytes = Buffer.alloc(2)
    bytes.writeInt16BE(value)
    return bytes
  }
  const long = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return bytes
  }
  const [bool, int4, text] = [16, 23, 25]
  const facts: readonly [name: string, type: number, value: string][] = [
    ['version', text, version],
    ['number', int4, String(number)],
    ['encoding', text, 'UTF8'],
    ['inRecovery', bool, 'f'],
    ['readOnly', bool, 'f'],
    ['pid', int4, '1'],
  ]
  const described = facts.map(([name, type]) =>
    Buffer.concat([Buffer.from(`${name}\0`), long(0), word(0), long(type), word(-1), long(-1), word(0)]),
  )
  const values = facts.map(([, , value]) => Buffer.concat([long(value.length), Buffer.from(value)]))
  const ready = message('Z', Buffer.from('I'))
  client.write(Buffer.concat([message('R', long(0)), message('K', Buffer.concat([long(1), long(7)])), ready]))
  client.on('data', () =>
    client.write(
      Buffer.concat([
        message('1', Buffer.alloc(0)),
        message('2', Buffer.alloc(0)),
        message('T', Buffer.concat([word(facts.length), ...described])),
        message('D', Buffer.concat([word(facts.length), ...values])),
        message('C', Buffer.from('SELECT 1\0')),
        ready,
      ]),
    ),
  )
}
