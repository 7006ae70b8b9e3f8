// checks/mysql/stand-in.fixture.ts: a stand-in for MySQL that checks a password by mysql_native_password and answers
// each query with one row of one value.
import { createHash } from 'node:crypto'
import type { Identity, Serve, ServedConnection } from '@pulseward/testing/targets'

export interface MysqlStandIn {
  readonly password?: string
  /** Offers TLS with it. */
  readonly identity?: Identity
  readonly value?: string
  /** Greets with this error instead. */
  readonly refusal?: readonly [code: number, text: string]
  /** Sends rows without end. */
  readonly isEndless?: boolean
}

const NONCE = Buffer.from('0123456789abcdefghij')
/** Protocol 4.1, transactions, secure connections, databases in the login, plugins. */
const CAPABILITIES = 0x0008_a209
const TLS = 0x0800
const TLS_REQUEST_BYTES = 32
const COM_QUIT = 1

export function mysqlStandIn(options: MysqlStandIn = {}): Serve {
  const { password, identity, refusal, value = '1' } = options
  return async (connection) => {
    if (refusal !== undefined) return connection.write(packet(0, error(...refusal)))
    connection.write(packet(0, greeting(identity === undefined ? CAPABILITIES : CAPABILITIES | TLS)))
    let login = await readPacket(connection)
    if (login.body.length === TLS_REQUEST_BYTES && identity !== undefined) {
      connection.startTls(identity)
      login = await readPacket(connection)
    }
    const isRight = password === undefined || login.body.includes(tokenOf(password))
    if (!isRight) return connection.write(packet(login.sequence + 1, error(1045, 'Access denied')))
    connection.write(packet(login.sequence + 1, ok()))
    for (;;) {
      const { body } = await readPacket(connection)
      if (body[0] === COM_QUIT) return
      connection.write(Buffer.concat([packet(1, Buffer.from([1])), packet(2, column()), packet(3, end())]))
      if (options.isEndless) await pourRows(connection)
      connection.write(Buffer.concat([packet(4, lengthText(value)), packet(5, end())]))
    }
  }
}

async function pourRows(connection: ServedConnection): Promise<never> {
  const row = lengthText('x'.repeat(200))
  const rows = Array.from({ length: 256 }, (_, index) => packet((index + 4) & 0xff, row))
  return connection.pour(Buffer.concat(rows))
}

function greeting(capabilities: number): Buffer {
  return Buffer.concat([
    Buffer.from([10]),
    Buffer.from('8.0.0-stand-in\0'),
    Buffer.from([1, 0, 0, 0]),
    NONCE.subarray(0, 8),
    Buffer.from([0, capabilities & 0xff, (capabilities >> 8) & 0xff, 45, 2, 0]),
    Buffer.from([(capabilities >> 16) & 0xff, (capabilities >> 24) & 0xff, 21]),
    Buffer.alloc(10),
    NONCE.subarray(8),
    Buffer.from('\0mysql_native_password\0'),
  ])
}

/** SHA1(password) XOR SHA1(nonce + SHA1(SHA1(password))). */
function tokenOf(password: string): Buffer {
  const sha1 = (...parts: Buffer[]) => createHash('sha1').update(Buffer.concat(parts)).digest()
  const once = sha1(Buffer.from(password))
  const mask = sha1(NONCE, sha1(once))
  return Buffer.from(once.map((byte, index) => byte ^ mask[index]!))
}

function column(): Buffer {
  const names = ['def', '', '', '', 'c', 'c'].map(lengthText)
  // utf8mb4, a length, the type of a text, no flags.
  return Buffer.concat([...names, Buffer.from([12, 45, 0, 255, 0, 0, 0, 253, 0, 0, 0, 0, 0])])
}

function ok(): Buffer {
  return Buffer.from([0, 0, 0, 2, 0, 0, 0])
}

function end(): Buffer {
  return Buffer.from([0xfe, 0, 0, 2, 0])
}

function error(code: number, text: string): Buffer {
  return Buffer.concat([Buffer.from([0xff, code & 0xff, code >> 8]), Buffer.from(`#28000${text}`)])
}

/** Texts of up to 250 bytes, whose length is one byte. */
function lengthText(text: string): Buffer {
  return Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)])
}

function packet(sequence: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUIntLE(body.length, 0, 3)
  head[3] = sequence
  return Buffer.concat([head, body])
}

async function readPacket(connection: ServedConnection): Promise<{ sequence: number; body: Buffer }> {
  const head = await connection.read(4)
  const sequence = head[3]!
  return { sequence, body: Buffer.from(await connection.read(head.readUIntLE(0, 3))) }
}
