// targets/scripted-tls-target.ts: a server of TLS 1.3 on loopback, written out by hand, because no library lets a test say
// when a session ticket is sent, how large it is and how long it lasts. It makes a full handshake with whoever comes (X25519,
// AES-128-GCM), never honors a ticket, and reads nothing of what the client sends: it only notices that a request came.
import {
  createCipheriv,
  createHash,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { certificates } from './certificates.ts'

/** What the server says on one connection. */
export interface TlsVoice {
  /** By default for two hours. */
  ticket(bytes: number, seconds?: number): void
  data(text: string): void
  /** Bytes of a handshake message as they are. */
  handshake(message: Buffer): void
  /** Ends the connection when all of this is sent. */
  end(): void
}

export interface TlsScript {
  /** When the client has finished its side of the handshake. */
  onHandshake?(voice: TlsVoice): void
  onRequest?(voice: TlsVoice): void
  /** When the client has closed the connection. */
  onClose?(voice: TlsVoice): void
}

const HANDSHAKE = 22
const APPLICATION_DATA = 23
const KEY_SHARE = 51
const X25519 = 29
const SUPPORTED_VERSIONS = 43
const TLS_1_3 = 0x0304
const AES_128_GCM_SHA256 = 0x1301
const ECDSA_P256_SHA256 = 0x0403
/** The content of a record has at most so many bytes. */
const RECORD_BYTES = 16_384

export class ScriptedTlsTarget implements AsyncDisposable {
  readonly port: number
  /** How many connections it has accepted. */
  accepted = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server, script: TlsScript) {
    this.#server = server
    this.port = (server.address() as { port: number }).port
    server.on('connection', (socket: Socket) => {
      this.accepted++
      this.#sockets.add(socket)
      // A client that has gone answers with a reset.
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket))
      converse(socket, script)
    })
  }

  static async start(script: TlsScript): Promise<ScriptedTlsTarget> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new ScriptedTlsTarget(server, script)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}

function converse(socket: Socket, script: TlsScript): void {
  let held = Buffer.alloc(0)
  let voice: Voice | null = null
  /** Encrypted records of the client: the end of its handshake, then its request. */
  let encrypted = 0
  socket.setNoDelay(true)
  socket.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes])
    while (held.length >= 5 && held.length >= 5 + held.readUInt16BE(3)) {
      const end = 5 + held.readUInt16BE(3)
      const [type, content] = [held[0], held.subarray(5, end)]
      held = held.subarray(end)
      if (type === HANDSHAKE) voice = shakeHands(socket, content)
      if (type !== APPLICATION_DATA || voice === null) continue
      encrypted++
      if (encrypted === 1) script.onHandshake?.(voice)
      if (encrypted === 2) script.onRequest?.(voice)
    }
  })
  socket.on('end', () => {
    if (voice !== null) script.onClose?.(voice)
    socket.end()
  })
}

/** The whole flight of the server, in answer to the client's hello. */
function shakeHands(socket: Socket, hello: Buffer): Voice {
  const { sessionId, share } = readHello(hello)
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  const shared = diffieHellman({ privateKey, publicKey: x25519Key(share) })
  const serverHello = message(2, [
    Buffer.of(3, 3),
    randomBytes(32),
    vector(1, sessionId),
    uint16(AES_128_GCM_SHA256),
    Buffer.of(0),
    vector(2, [
      ...extension(SUPPORTED_VERSIONS, [uint16(TLS_1_3)]),
      ...extension(KEY_SHARE, [uint16(X25519), vector(2, [publicKeyBytes(publicKey)])]),
    ]),
  ])
  const transcript = [hello, serverHello]
  const handshakeSecret = extract(
    deriveSecret(extract(Buffer.alloc(32), Buffer.alloc(32)), 'derived', []),
    shared,
  )
  const secret = deriveSecret(handshakeSecret, 's hs traffic', transcript)
  socket.write(record(HANDSHAKE, serverHello))
  const inHandshake = new Voice(socket, secret)
  const say = (flight: Buffer): void => {
    transcript.push(flight)
    inHandshake.handshake(flight)
  }
  const der = Buffer.from(certificates.good.certificate.split('-----')[2]!, 'base64')
  say(message(8, [vector(2, [])]))
  say(message(11, [vector(1, []), vector(3, [vector(3, [der]), vector(2, [])])]))
  const signed = Buffer.concat([
    Buffer.alloc(64, ' '),
    Buffer.from('TLS 1.3, server CertificateVerify\0'),
    hash(transcript),
  ])
  say(message(15, [uint16(ECDSA_P256_SHA256), vector(2, [sign('sha256', signed, certificates.good.key)])]))
  const finishedKey = expand(secret, 'finished', Buffer.alloc(0), 32)
  say(message(20, [createHmac('sha256', finishedKey).update(hash(transcript)).digest()]))
  const masterSecret = extract(deriveSecret(handshakeSecret, 'derived', []), Buffer.alloc(32))
  return new Voice(socket, deriveSecret(masterSecret, 's ap traffic', transcript))
}

/** Encrypts what the server says, with the keys of one stage. */
class Voice implements TlsVoice {
  readonly #socket: Socket
  readonly #key: Buffer
  readonly #iv: Buffer
  #records = 0

  constructor(socket: Socket, secret: Buffer) {
    this.#socket = socket
    this.#key = expand(secret, 'key', Buffer.alloc(0), 16)
    this.#iv = expand(secret, 'iv', Buffer.alloc(0), 12)
  }

  ticket(bytes: number, seconds = 7_200): void {
    this.handshake(
      message(4, [
        uint32(seconds),
        randomBytes(4),
        vector(1, [Buffer.of(this.#records & 0xff)]),
        vector(2, [randomBytes(bytes)]),
        vector(2, []),
      ]),
    )
  }

  data(text: string): void {
    this.#encrypt(APPLICATION_DATA, Buffer.from(text))
  }

  handshake(content: Buffer): void {
    for (let at = 0; at < content.length; at += RECORD_BYTES)
      this.#encrypt(HANDSHAKE, content.subarray(at, at + RECORD_BYTES))
  }

  end(): void {
    this.#socket.end()
  }

  #encrypt(type: number, content: Buffer): void {
    const nonce = Buffer.from(this.#iv)
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ this.#records++) >>> 0, 8)
    const plain = Buffer.concat([content, Buffer.of(type)])
    const header = recordHeader(APPLICATION_DATA, plain.length + 16)
    const cipher = createCipheriv('aes-128-gcm', this.#key, nonce).setAAD(header)
    this.#socket.write(Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]))
  }
}

/** What an answer needs of the client's hello. */
function readHello(hello: Buffer): { sessionId: Buffer[]; share: Buffer } {
  let at = 4 + 2 + 32
  const sessionId = hello.subarray(at + 1, at + 1 + hello[at]!)
  at += 1 + sessionId.length
  at += 2 + hello.readUInt16BE(at)
  at += 1 + hello[at]!
  for (at += 2; at < hello.length; at += 4 + hello.readUInt16BE(at + 2)) {
    if (hello.readUInt16BE(at) !== KEY_SHARE) continue
    const end = at + 4 + hello.readUInt16BE(at + 2)
    for (let place = at + 6; place < end; place += 4 + hello.readUInt16BE(place + 2))
      if (hello.readUInt16BE(place) === X25519)
        return { sessionId: [sessionId], share: hello.subarray(place + 4, place + 36) }
  }
  throw new Error('the client sent no key share for X25519')
}

function x25519Key(bytes: Buffer) {
  return createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: bytes.toString('base64url') },
    format: 'jwk',
  })
}

function publicKeyBytes(key: ReturnType<typeof x25519Key>): Buffer {
  return Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url')
}

function extract(salt: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', salt).update(key).digest()
}

function deriveSecret(secret: Buffer, label: string, transcript: readonly Buffer[]): Buffer {
  return expand(secret, label, hash(transcript), 32)
}

/** HKDF-Expand-Label of RFC 8446. */
function expand(secret: Buffer, label: string, context: Buffer, bytes: number): Buffer {
  const info = Buffer.concat([
    uint16(bytes),
    vector(1, [Buffer.from(`tls13 ${label}`)]),
    vector(1, [context]),
  ])
  return expandOnce(secret, info).subarray(0, bytes)
}

/** One block of HKDF-Expand is enough here. */
function expandOnce(secret: Buffer, info: Buffer): Buffer {
  return createHmac('sha256', secret).update(info).update(Buffer.of(1)).digest()
}

function hash(transcript: readonly Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(transcript)).digest()
}

function message(type: number, parts: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.of(type), vector(3, parts)])
}

function extension(type: number, parts: readonly Buffer[]): Buffer[] {
  return [uint16(type), vector(2, parts)]
}

/** Parts with their length before them, in so many bytes. */
function vector(lengthBytes: number, parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length = Buffer.alloc(lengthBytes)
  length.writeUIntBE(content.length, 0, lengthBytes)
  return Buffer.concat([length, content])
}

function record(type: number, content: Buffer): Buffer {
  return Buffer.concat([recordHeader(type, content.length), content])
}

function recordHeader(type: number, length: number): Buffer {
  return Buffer.concat([Buffer.of(type, 3, 3), uint16(length)])
}

function uint16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff)
}

function uint32(value: number): Buffer {
  return Buffer.concat([uint16(value >>> 16), uint16(value & 0xffff)])
}
