// targets/scram-server.ts: the server's side of SCRAM (RFC 5802), for stand-ins of servers that use it.
import { createHash, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto'

type Hash = 'sha1' | 'sha256' | 'sha512'

const KEY_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const
const SALT = Buffer.from('salt of the stand-in')

export class ScramServer {
  readonly #hash: Hash
  readonly #password: string
  readonly #iterations: number
  #clientFirst = ''
  #first = ''

  constructor(hash: Hash, password: string, iterations = 4_096) {
    this.#hash = hash
    this.#password = password
    this.#iterations = iterations
  }

  /** The answer to the client's first message. */
  first(message: string): string {
    this.#clientFirst = message.slice('n,,'.length)
    const nonce = /r=(.*)$/.exec(message)![1]!
    this.#first = `r=${nonce}server,s=${SALT.toString('base64')},i=${this.#iterations}`
    return this.#first
  }

  /** The server's proof in answer to the client's, or null if the client's is wrong. */
  final(message: string): string | null {
    const [, withoutProof, proof] = /^(.*),p=(.*)$/.exec(message)!
    const transcript = `${this.#clientFirst},${this.#first},${withoutProof}`
    const salted = pbkdf2Sync(this.#password, SALT, this.#iterations, KEY_BYTES[this.#hash], this.#hash)
    const storedKey = createHash(this.#hash).update(this.#hmac(salted, 'Client Key')).digest()
    const signature = this.#hmac(storedKey, transcript)
    const clientKey = Buffer.from(proof!, 'base64').map((byte, index) => byte ^ signature[index]!)
    if (!timingSafeEqual(createHash(this.#hash).update(clientKey).digest(), storedKey)) return null
    return `v=${this.#hmac(this.#hmac(salted, 'Server Key'), transcript).toString('base64')}`
  }

  #hmac(key: Buffer, text: string): Buffer {
    return createHmac(this.#hash, key).update(text).digest()
  }
}
