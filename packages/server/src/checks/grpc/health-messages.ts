// checks/grpc/health-messages.ts: the messages of grpc.health.v1 on the wire: a five-byte prefix (compressed
// or not, length), then protocol buffers with one field each: the name of the service, and its status.

const STRING_FIELD_1 = 0x0a
const PREFIX_BYTES = 5

const servingStatuses = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] as const
type ServingStatus = (typeof servingStatuses)[number]

export function healthRequest(service: string): Buffer {
  const name = Buffer.from(service, 'utf8')
  // An empty field is omitted.
  const message =
    name.length === 0
      ? Buffer.alloc(0)
      : Buffer.concat([Buffer.from([STRING_FIELD_1, ...varint(name.length)]), name])
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

/** The status; null if the bytes are not a whole response. */
export function readHealthResponse(bytes: Buffer): ServingStatus | null {
  if (bytes.length < PREFIX_BYTES || bytes[0] !== 0) return null
  const message = bytes.subarray(PREFIX_BYTES)
  if (message.length !== bytes.readUInt32BE(1)) return null
  const status = firstField(message)
  return status === null ? null : (servingStatuses[status] ?? null)
}

/** The value of field 1, which is 0 if absent. Fields that later versions may add are skipped. */
function firstField(message: Buffer): number | null {
  let value = 0
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at)
    if (tag === null) return null
    const wireType = tag.value & 0x07
    const content = wireType === 0 || wireType === 2 ? readVarint(message, tag.next) : null
    if (wireType === 0 && content !== null) {
      if (tag.value >> 3 === 1) value = content.value
      at = content.next
    } else if (wireType === 2 && content !== null) at = content.next + content.value
    else if (wireType === 1) at = tag.next + 8
    else if (wireType === 5) at = tag.next + 4
    else return null
    if (at > message.length) return null
  }
  return value
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >> 7)]
}

/** At most five bytes: no value here is larger than 32 bits. */
function readVarint(bytes: Buffer, at: number): { value: number; next: number } | null {
  let value = 0
  for (let index = 0; index < 5; index++) {
    const byte = bytes[at + index]
    if (byte === undefined) return null
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return { value, next: at + index + 1 }
  }
  return null
}
