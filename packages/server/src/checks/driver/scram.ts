// checks/driver/scram.ts: the client side of SCRAM (RFC 5802, RFC 7677), which verifies a password without
// sending it to the server. The server in turn has to prove that it knows the password; without its proof the
// login has failed. The work that a server may demand is bounded.
import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(pbkdf2)

export type ScramHash = 'sha1' | 'sha256' | 'sha512'

/** Ten times the default of servers: a tenth of a second. */
const MAX_ITERATIONS = 200_000
const GS2_HEADER = 'n,,'
const KEY_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const

export class Scram {
  readonly #hash: ScramHash
  readonly #password: string
  readonly #nonce: string
  readonly #firstBare: string
  #serverSignature: Buffer | null = null

  constructor(hash: ScramHash, user: string, password: string, nonce = randomBytes(18).toString('base64')) {
    this.#hash = hash
    this.#password = password
    this.#nonce = nonce
    this.#firstBare = `n=${user.replaceAll('=', '=3D').replaceAll(',', '=2C')},r=${nonce}`
  }

  first(): string {
    return GS2_HEADER + this.#firstBare
  }

  /** Our proof in answer to the server's first message; null if that message must not be answered. */
  async final(serverFirst: string): Promise<string | null> {
    const [, nonce, salt = '', count] = /^r=([^,]+),s=([A-Za-z0-9+/=]+),i=(\d{1,9})$/.exec(serverFirst) ?? []
    const iterations = Number(count)
    // A nonce that does not begin with ours is a replayed answer to another client.
    const isOurs = nonce !== undefined && nonce.length > this.#nonce.length && nonce.startsWith(this.#nonce)
    if (!isOurs || iterations < 1 || iterations > MAX_ITERATIONS) return null
    const withoutProof = `c=${Buffer.from(GS2_HEADER).toString('base64')},r=${nonce}`
    const message = `${this.#firstBare},${serverFirst},${withoutProof}`
    const salted = await derive(
      this.#password,
      Buffer.from(salt, 'base64'),
      iterations,
      KEY_BYTES[this.#hash],
      this.#hash,
    )
    const clientKey = this.#hmac(salted, 'Client Key')
    const signature = this.#hmac(createHash(this.#hash).update(clientKey).digest(), message)
    this.#serverSignature = this.#hmac(this.#hmac(salted, 'Server Key'), message)
    const proof = clientKey.map((byte, index) => byte ^ signature[index]!)
    return `${withoutProof},p=${Buffer.from(proof).toString('base64')}`
  }

  /** Whether the server's last message proves that it also knows the password. */
  isProof(serverFinal: string): boolean {
    const [, encoded] = /^v=([A-Za-z0-9+/=]+)/.exec(serverFinal) ?? []
    if (encoded === undefined || this.#serverSignature === null) return false
    const signature = Buffer.from(encoded, 'base64')
    return (
      signature.length === this.#serverSignature.length && timingSafeEqual(signature, this.#serverSignature)
    )
  }

  #hmac(key: Buffer, text: string): Buffer {
    return createHmac(this.#hash, key).update(text).digest()
  }
}
