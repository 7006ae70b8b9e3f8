// access/token.ts: the form of a principal's token: `pw_`, 256 random bits as base64url, and a checksum, so that secret
// scanners find it and a mistyped token is distinguished from an unknown one. The service keeps only digests.
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const randomPart = 'pw_[A-Za-z0-9_-]{43}'
const form = new RegExp(`^(?<random>${randomPart})(?<checksum>[0-9A-Za-z]{6})$`)
const tokenLike = new RegExp(randomPart)

export function makeToken(): string {
  const random = `pw_${randomBytes(32).toString('base64url')}`
  return random + checksumOf(random)
}

/** False for a mistyped or truncated token, which no service can know. */
export function isWellFormed(token: string): boolean {
  const { random, checksum } = form.exec(token)?.groups ?? {}
  return random !== undefined && checksumOf(random) === checksum
}

/** Whether a text that is about to be shown contains something that may be a token. */
export function holdsToken(text: string): boolean {
  return tokenLike.test(text)
}

/** In the form of the principals file. */
export function digestOf(token: string): string {
  return `sha256:${hash('sha256', token, 'hex')}`
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** CRC-32 in six base-62 digits, a form that secret scanners know from other services. */
function checksumOf(text: string): string {
  let left = crc32(text)
  let checksum = ''
  while (checksum.length < 6) {
    checksum = digits.charAt(left % digits.length) + checksum
    left = Math.floor(left / digits.length)
  }
  return checksum
}
