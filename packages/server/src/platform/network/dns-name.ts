// platform/network/dns-name.ts: domain names on the wire. Bytes that a text name cannot hold (dots inside a label,
// control characters, anything beyond ASCII) are written as \DDD, so two different names never look the same.

export class MalformedDnsMessage extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'MalformedDnsMessage'
  }
}

const MAX_NAME_BYTES = 255
const MAX_LABEL_BYTES = 63

/** Where the name last read by readName ends: there is one reader at a time, and this avoids an object per name. */
let nextOffset = 0

export function offsetAfterName(): number {
  return nextOffset
}

/** The name at an offset, without a trailing dot; the root is ".". offsetAfterName() returns its end. */
export function readName(bytes: Buffer, start: number): string {
  let offset = start
  let runStart = start
  let end = -1
  let wireBytes = 1
  let name = ''
  for (;;) {
    if (offset >= bytes.length) throw new MalformedDnsMessage('a name runs past the end')
    const length = bytes[offset]!
    if (length === 0) break
    if (length >= 0xc0) {
      if (offset + 1 >= bytes.length) throw new MalformedDnsMessage('a name runs past the end')
      const target = ((length & 0x3f) << 8) | bytes[offset + 1]!
      // A pointer must lead to before the current run, so a chain of pointers cannot loop.
      if (target >= runStart) throw new MalformedDnsMessage('a compressed name does not point backwards')
      if (end < 0) end = offset + 2
      offset = target
      runStart = target
      continue
    }
    if (length > MAX_LABEL_BYTES) throw new MalformedDnsMessage('a label has an unknown form')
    wireBytes += length + 1
    if (wireBytes > MAX_NAME_BYTES) throw new MalformedDnsMessage('a name is longer than 255 bytes')
    if (offset + 1 + length > bytes.length) throw new MalformedDnsMessage('a name runs past the end')
    if (name !== '') name += '.'
    name += readLabel(bytes, offset + 1, offset + 1 + length)
    offset += 1 + length
  }
  nextOffset = end < 0 ? offset + 1 : end
  return name === '' ? '.' : name
}

function readLabel(bytes: Buffer, from: number, to: number): string {
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    if (byte <= 32 || byte >= 127 || byte === 46 || byte === 92) return escapedLabel(bytes, from, to)
  }
  return bytes.toString('latin1', from, to).toLowerCase()
}

function escapedLabel(bytes: Buffer, from: number, to: number): string {
  let label = ''
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    const plain = byte > 32 && byte < 127 && byte !== 46 && byte !== 92
    label += plain ? String.fromCharCode(byte).toLowerCase() : `\\${String(byte).padStart(3, '0')}`
  }
  return label
}

/** Writes a plain ASCII name and returns the offset after it; -1 if a label is empty or something is too long. */
export function writeName(name: string, bytes: Buffer, start: number): number {
  const length = name.endsWith('.') ? name.length - 1 : name.length
  if (length > MAX_NAME_BYTES - 2) return -1
  let offset = start
  let labelStart = 0
  while (labelStart < length) {
    const dot = name.indexOf('.', labelStart)
    const labelEnd = dot < 0 || dot > length ? length : dot
    const labelLength = labelEnd - labelStart
    if (labelLength === 0 || labelLength > MAX_LABEL_BYTES) return -1
    bytes[offset++] = labelLength
    for (let i = labelStart; i < labelEnd; i++) {
      const code = name.charCodeAt(i)
      if (code > 127) return -1
      bytes[offset++] = code
    }
    labelStart = labelEnd + 1
  }
  bytes[offset] = 0
  return offset + 1
}
