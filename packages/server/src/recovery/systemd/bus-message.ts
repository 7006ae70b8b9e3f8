// recovery/systemd/bus-message.ts: the few D-Bus messages that a restart needs, as bytes. Writes a method
// call with text arguments; reads an answer just far enough to tell which call it answers and whether it is
// an error. Pure. Lengths come from a peer, so nothing here reads past the bytes it was given.

export interface MethodCall {
  readonly destination: string
  readonly path: string
  readonly interface: string
  readonly member: string
}

export interface BusMessage {
  readonly type: 'call' | 'return' | 'error' | 'signal' | 'other'
  /** The serial of the call that this answers; 0 if it is not an answer. */
  readonly replySerial: number
  /** The name of an error; empty if it is not an error. */
  readonly errorName: string
}

/** The specification allows 128 MiB; an answer to our calls has a few hundred bytes. */
export const MAX_MESSAGE_BYTES = 64 * 1024
const FIXED_HEADER_BYTES = 16

const TYPES = ['other', 'call', 'return', 'error', 'signal'] as const
const FIELD = { path: 1, interface: 2, member: 3, errorName: 4, replySerial: 5, destination: 6, signature: 8 }

export function encodeCall(serial: number, call: MethodCall, texts: readonly string[]): Buffer {
  const body = new Writer()
  for (const text of texts) body.text(text)
  const fields = new Writer()
  fields.field(FIELD.path, 'o', call.path)
  fields.field(FIELD.destination, 's', call.destination)
  fields.field(FIELD.interface, 's', call.interface)
  fields.field(FIELD.member, 's', call.member)
  if (texts.length > 0) fields.field(FIELD.signature, 'g', 's'.repeat(texts.length))
  const header = new Writer()
  // Little endian, a method call, no flags, version 1 of the protocol.
  header.bytes(0x6c, 1, 0, 1)
  header.number(body.length)
  header.number(serial)
  header.number(fields.length)
  return Buffer.concat([header.taken(), fields.taken(8), body.taken()])
}

/** The length of the message that begins here: 0 if too little has been received, -1 if it is not a message. */
export function messageLength(bytes: Buffer): number {
  if (bytes.length < FIXED_HEADER_BYTES) return 0
  const isLittle = bytes[0] === 0x6c
  if ((!isLittle && bytes[0] !== 0x42) || bytes[3] !== 1) return -1
  const bodyLength = readNumber(bytes, 4, isLittle)
  const fieldsLength = readNumber(bytes, 12, isLittle)
  const length = aligned(FIXED_HEADER_BYTES + fieldsLength, 8) + bodyLength
  return length > MAX_MESSAGE_BYTES ? -1 : length
}

/** Reads one whole message; null if its header is malformed. */
export function decodeMessage(bytes: Buffer): BusMessage | null {
  const isLittle = bytes[0] === 0x6c
  const end = FIXED_HEADER_BYTES + readNumber(bytes, 12, isLittle)
  let replySerial = 0
  let errorName = ''
  let at = FIXED_HEADER_BYTES
  while (at < end) {
    at = aligned(at, 8)
    // A field is its code, the signature of its value ("\x01s\0") and the value.
    if (at + 4 > end || bytes[at + 1] !== 1) return null
    const code = bytes.readUInt8(at)
    const signature = String.fromCharCode(bytes.readUInt8(at + 2))
    const value = readValue(bytes, at + 4, end, signature, isLittle)
    if (value === null) return null
    if (code === FIELD.replySerial && typeof value.content === 'number') replySerial = value.content
    if (code === FIELD.errorName && typeof value.content === 'string') errorName = value.content
    at = value.next
  }
  return { type: TYPES[bytes[1]!] ?? 'other', replySerial, errorName }
}

interface ReadValue {
  readonly content: string | number
  readonly next: number
}

/** The values that headers hold: texts, object paths, numbers and signatures. */
function readValue(
  bytes: Buffer,
  at: number,
  end: number,
  signature: string,
  isLittle: boolean,
): ReadValue | null {
  if (signature === 'g') {
    const next = at + 1 + (bytes[at] ?? 0) + 1
    return next > end ? null : { content: '', next }
  }
  const from = aligned(at, 4)
  if (!'sou'.includes(signature) || from + 4 > end) return null
  const number = readNumber(bytes, from, isLittle)
  if (signature === 'u') return { content: number, next: from + 4 }
  const next = from + 4 + number + 1
  return next > end ? null : { content: bytes.toString('utf8', from + 4, next - 1), next }
}

function readNumber(bytes: Buffer, at: number, isLittle: boolean): number {
  return isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
}

function aligned(at: number, boundary: number): number {
  return Math.ceil(at / boundary) * boundary
}

class Writer {
  readonly #parts: Buffer[] = []
  length = 0

  bytes(...values: number[]): void {
    this.#push(Buffer.from(values))
  }

  number(value: number): void {
    this.#align(4)
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    this.#push(bytes)
  }

  text(text: string): void {
    this.number(Buffer.byteLength(text))
    this.#push(Buffer.from(`${text}\0`))
  }

  /** One entry of the header: a code and a value with its signature. */
  field(code: number, signature: 'o' | 's' | 'g', text: string): void {
    this.#align(8)
    this.bytes(code, 1, signature.charCodeAt(0), 0)
    if (signature === 'g') this.#push(Buffer.from(`${String.fromCharCode(text.length)}${text}\0`, 'latin1'))
    else this.text(text)
  }

  /** Everything that was written, padded with zeros to the boundary. */
  taken(boundary = 1): Buffer {
    this.#align(boundary)
    return Buffer.concat(this.#parts)
  }

  #align(boundary: number): void {
    this.#push(Buffer.alloc(aligned(this.length, boundary) - this.length))
  }

  #push(bytes: Buffer): void {
    this.#parts.push(bytes)
    this.length += bytes.length
  }
}
