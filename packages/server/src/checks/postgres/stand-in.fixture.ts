// checks/postgres/stand-in.fixture.ts: a stand-in for PostgreSQL that asks for the password as it is and answers each
// query alike.
import type { Identity, Serve, ServedConnection } from '@pulseward/testing/targets'

export interface PostgresStandIn {
  readonly password?: string
  /** Offers TLS with it. */
  readonly identity?: Identity
  /** The only row of every answer; by default one value, 1. */
  readonly row?: readonly string[]
  /** Refuses every login with this SQLSTATE and text instead. */
  readonly refusal?: readonly [code: string, text: string]
  /** Sends rows without end. */
  readonly isEndless?: boolean
}

const TLS_REQUEST = 80_877_103

export function postgresStandIn(options: PostgresStandIn = {}): Serve {
  const { identity, password, refusal, row = ['1'] } = options
  return async (connection) => {
    let start = await readStart(connection)
    if (start.readInt32BE(0) === TLS_REQUEST) {
      connection.write(identity === undefined ? 'N' : 'S')
      if (identity !== undefined) connection.startTls(identity)
      start = await readStart(connection)
    }
    if (refusal !== undefined) return connection.write(error(...refusal))
    if (password !== undefined) {
      connection.write(message('R', number(3)))
      const given = (await readMessage(connection)).body.toString('utf8').slice(0, -1)
      if (given !== password) return connection.write(error('28P01', `no password for you: ${given}`))
    }
    connection.write(Buffer.concat([message('R', number(0)), ready()]))
    for (;;) {
      const { kind } = await readMessage(connection)
      if (kind === 'X') return
      if (kind !== 'Q') continue
      connection.write(describeColumns(row.length))
      if (options.isEndless)
        await connection.pour(Buffer.concat(Array<Buffer>(100).fill(dataRow(['x'.repeat(1_000)]))))
      connection.write(Buffer.concat([dataRow(row), message('C', text('SELECT 1')), ready()]))
    }
  }
}

function describeColumns(count: number): Buffer {
  // Names are never looked at; type 25 is text.
  const column = Buffer.concat([
    text('c'),
    Buffer.alloc(6),
    number(25),
    Buffer.from([255, 255, 255, 255, 255, 255, 0, 0]),
  ])
  return message('T', Buffer.concat([Buffer.from([0, count]), ...Array<Buffer>(count).fill(column)]))
}

function dataRow(values: readonly string[]): Buffer {
  const cells = values.map((value) => Buffer.concat([number(Buffer.byteLength(value)), Buffer.from(value)]))
  return message('D', Buffer.concat([Buffer.from([0, values.length]), ...cells]))
}

function error(code: string, words: string): Buffer {
  const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${words}`].map(text)
  return message('E', Buffer.concat([...fields, Buffer.alloc(1)]))
}

function ready(): Buffer {
  return message('Z', Buffer.from('I'))
}

function message(kind: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(kind), number(body.length + 4), body])
}

async function readStart(connection: ServedConnection): Promise<Buffer> {
  const length = (await connection.read(4)).readInt32BE(0)
  return Buffer.from(await connection.read(length - 4))
}

async function readMessage(connection: ServedConnection): Promise<{ kind: string; body: Buffer }> {
  const head = await connection.read(5)
  const kind = String.fromCharCode(head[0]!)
  return { kind, body: Buffer.from(await connection.read(head.readInt32BE(1) - 4)) }
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}
