// vault/envelope.ts: seals values. Each value has its own random data key; the data key encrypts the value, and a key of
// the ring encrypts the data key, both with AES-256-GCM. The credential's id and the version of its value are associated
// data: a row that is copied over another, or an older version put back, does not open.
//
// A sealed value is bytes, for a BLOB column; as text it would be a third longer. Format 1 is 97 bytes and
// the value:
//   1 format · 8 id of the ring key
//   12 nonce, 32 data key, 16 tag (wrapped)
//   12 nonce, value in UTF-8, 16 tag
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import type { KeyRing } from './key-ring.ts'

const algorithm = 'aes-256-gcm'
const format = 1
const [keyIdBytes, keyBytes, nonceBytes, tagBytes] = [8, 32, 12, 16]
const headBytes = 1 + keyIdBytes
const boxBytes = nonceBytes + tagBytes
const valueStart = headBytes + boxBytes + keyBytes

/** A secret that is only shown by an explicit call, never by printing or serializing the object. */
export class SecretText {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return '[REDACTED]'
  }

  toJSON(): string {
    return '[REDACTED]'
  }

  [inspect.custom](): string {
    return 'SecretText { [REDACTED] }'
  }
}

/** Why a sealed value does not open, as the end of a sentence that begins with its name. */
export class Unreadable {
  readonly kind: 'no key' | 'damaged'
  readonly reason: string
  constructor(kind: Unreadable['kind'], reason: string) {
    this.kind = kind
    this.reason = reason
  }
}

const damaged = () =>
  new Unreadable('damaged', 'is damaged, or was sealed for another credential or version; write it again')
const noKey = (id: string) =>
  new Unreadable('no key', `is sealed by the key ${id}, which is not in the key file; put that key back`)

/** The value must be well-formed Unicode: anything else would be changed by encoding. */
export function seal(ring: KeyRing, id: string, version: string, value: string): Uint8Array {
  if (!value.isWellFormed()) throw new TypeError('A value to be sealed is not well-formed Unicode.')
  const dataKey = randomBytes(keyBytes)
  const plain = Buffer.from(value)
  try {
    const box = encrypt(dataKey, plain, valueContext(id, version))
    return joined(wrap(ring, dataKey), box)
  } finally {
    dataKey.fill(0)
    plain.fill(0)
  }
}

export function open(
  ring: KeyRing,
  id: string,
  version: string,
  sealed: Uint8Array,
): SecretText | Unreadable {
  const dataKey = unwrap(ring, sealed)
  if (dataKey instanceof Unreadable) return dataKey
  const plain = decrypt(dataKey, sealed.subarray(valueStart), valueContext(id, version))
  dataKey.fill(0)
  if (plain === null) return damaged()
  const text = plain.toString()
  plain.fill(0)
  return new SecretText(text)
}

/** The same value wrapped with the current key; the same bytes if it already is. */
export function rewrap(ring: KeyRing, sealed: Uint8Array): Uint8Array | Unreadable {
  const dataKey = unwrap(ring, sealed)
  if (dataKey instanceof Unreadable) return dataKey
  try {
    if (wrappingKeyOf(sealed) === ring.currentId) return sealed
    return joined(wrap(ring, dataKey), sealed.subarray(valueStart))
  } finally {
    dataKey.fill(0)
  }
}

/** The id of the ring key that wraps the value; null for bytes that are not a sealed value. */
export function wrappingKeyOf(sealed: Uint8Array): string | null {
  if (sealed[0] !== format || sealed.length < valueStart + boxBytes) return null
  return Buffer.from(sealed.subarray(1, headBytes)).toString('hex')
}

function wrap(ring: KeyRing, dataKey: Uint8Array): Buffer {
  const key = ring.keyOf(ring.currentId)
  if (key === null) throw new Error('a ring without its current key')
  const head = Buffer.concat([Buffer.of(format), Buffer.from(ring.currentId, 'hex')])
  return Buffer.concat([head, encrypt(key, dataKey, keyContext(ring.currentId))])
}

function unwrap(ring: KeyRing, sealed: Uint8Array): Buffer | Unreadable {
  const id = wrappingKeyOf(sealed)
  if (id === null) return damaged()
  const key = ring.keyOf(id)
  if (key === null) return noKey(id)
  return decrypt(key, sealed.subarray(headBytes, valueStart), keyContext(id)) ?? damaged()
}

/** In a new buffer: a thread that receives it gets none of the adjacent memory. */
function joined(head: Uint8Array, rest: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(head.length + rest.length)
  bytes.set(head)
  bytes.set(rest, head.length)
  return bytes
}

/** JSON, so that no two pairs of id and version have the same text. */
function valueContext(id: string, version: string): Buffer {
  return Buffer.from(JSON.stringify(['pulseward credential value', format, id, version]))
}

function keyContext(ringKeyId: string): Buffer {
  return Buffer.from(JSON.stringify(['pulseward data key', format, ringKeyId]))
}

/** Nonce, ciphertext and tag. Random nonces are safe: a data key encrypts once, a ring key far fewer than 2^32 times. */
function encrypt(key: KeyObject | Uint8Array, plain: Uint8Array, context: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(context)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Null unless it was encrypted with this key in this context. */
function decrypt(key: KeyObject | Uint8Array, box: Uint8Array, context: Uint8Array): Buffer | null {
  const nonce = box.subarray(0, nonceBytes)
  const ciphertext = box.subarray(nonceBytes, box.length - tagBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    .setAAD(context)
    .setAuthTag(box.subarray(box.length - tagBytes))
  const plain = decipher.update(ciphertext)
  try {
    decipher.final()
    return plain
  } catch {
    plain.fill(0)
    return null
  }
}
