// platform/network/dns-message.ts: DNS messages on the wire (RFC 1035). Encodes a query and decodes answers
// of any server, even a hostile one: every read is bounds-checked, a compression pointer may only point
// backwards and a name has at most 255 bytes, so decoding always terminates. Decoded names are in lower case.
import { MalformedDnsMessage, offsetAfterName, readName, writeName } from './dns-name.ts'
import { readRecordData, recordTypes } from './dns-record.ts'

export { MalformedDnsMessage } from './dns-name.ts'
export { type RecordType, recordTypes } from './dns-record.ts'

export interface DnsRecord {
  readonly name: string
  readonly type: number
  readonly ttlSeconds: number
  readonly data: string
}

export interface DnsMessage {
  readonly id: number
  readonly rcode: string
  readonly truncated: boolean
  readonly questionName: string
  readonly questionType: number
  readonly answers: readonly DnsRecord[]
  readonly authority: readonly DnsRecord[]
}

export const rcodes = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'] as const

const HEADER_BYTES = 12
const CLASS_INTERNET = 1
const FLAG_RESPONSE = 0x8000
const FLAG_TRUNCATED = 0x0200
const FLAG_RECURSION_DESIRED = 0x0100
const MAX_TTL_SECONDS = 0x7fff_ffff
/** No honest answer comes close; bounds the cost of names with many labels. */
const MAX_RECORDS = 512

/** A recursive query, or null if the name cannot be encoded. */
export function encodeQuery(id: number, name: string, type: number): Buffer | null {
  if (name.length > 254) return null
  const packet = Buffer.allocUnsafe(HEADER_BYTES + name.length + 6)
  const nameEnd = writeName(name, packet, HEADER_BYTES)
  if (nameEnd < 0) return null
  packet.writeUInt16BE(id, 0)
  packet.writeUInt16BE(FLAG_RECURSION_DESIRED, 2)
  packet.writeUInt32BE(0x0001_0000, 4)
  packet.writeUInt32BE(0, 8)
  packet.writeUInt16BE(type, nameEnd)
  packet.writeUInt16BE(CLASS_INTERNET, nameEnd + 2)
  return packet.subarray(0, nameEnd + 4)
}

/** Throws MalformedDnsMessage unless the bytes are a well-formed answer to exactly one question. */
export function decodeMessage(bytes: Buffer): DnsMessage {
  if (bytes.length < HEADER_BYTES) throw new MalformedDnsMessage('it is shorter than a header')
  const flags = bytes.readUInt16BE(2)
  if ((flags & FLAG_RESPONSE) === 0) throw new MalformedDnsMessage('it is a question and no answer')
  const rcode = flags & 0x0f
  const questions = bytes.readUInt16BE(4)
  // A server that could not read the question may omit it from its refusal.
  if (questions === 0 && rcode !== 0) return bareRefusal(bytes.readUInt16BE(0), rcode)
  if (questions !== 1) throw new MalformedDnsMessage('it does not repeat the question')
  const questionName = readName(bytes, HEADER_BYTES)
  const questionEnd = offsetAfterName() + 4
  if (questionEnd > bytes.length) throw new MalformedDnsMessage('the question runs past the end')
  const truncated = (flags & FLAG_TRUNCATED) !== 0
  const answers: DnsRecord[] = []
  const authority: DnsRecord[] = []
  // A truncated answer is incomplete, and the query is repeated over TCP.
  if (!truncated) {
    const answersEnd = readRecords(bytes, questionEnd, bytes.readUInt16BE(6), questionName, answers)
    // The authority section only matters if there is no answer: it then says how long to cache that.
    if (answers.length === 0) readRecords(bytes, answersEnd, bytes.readUInt16BE(8), questionName, authority)
  }
  return {
    id: bytes.readUInt16BE(0),
    rcode: rcodeName(rcode),
    truncated,
    questionName,
    questionType: bytes.readUInt16BE(questionEnd - 4),
    answers,
    authority,
  }
}

function rcodeName(rcode: number): string {
  return rcodes[rcode] ?? `RCODE${rcode}`
}

function bareRefusal(id: number, rcode: number): DnsMessage {
  return {
    id,
    rcode: rcodeName(rcode),
    truncated: false,
    questionName: '',
    questionType: 0,
    answers: [],
    authority: [],
  }
}

/** Reads a section; the count comes from the peer, so the loop is bounded by the bytes, not the count. */
function readRecords(
  bytes: Buffer,
  start: number,
  count: number,
  questionName: string,
  into: DnsRecord[],
): number {
  if (count > MAX_RECORDS)
    throw new MalformedDnsMessage(`it has more than ${MAX_RECORDS} records in a section`)
  let offset = start
  for (let i = 0; i < count; i++) {
    const repeatsQuestion = bytes[offset] === 0xc0 && bytes[offset + 1] === HEADER_BYTES
    const name = repeatsQuestion ? questionName : readName(bytes, offset)
    offset = repeatsQuestion ? offset + 2 : offsetAfterName()
    if (offset + 10 > bytes.length) throw new MalformedDnsMessage('a record runs past the end')
    const type = bytes.readUInt16BE(offset)
    const recordClass = bytes.readUInt16BE(offset + 2)
    const ttl = bytes.readUInt32BE(offset + 4)
    const dataStart = offset + 10
    offset = dataStart + bytes.readUInt16BE(offset + 8)
    if (offset > bytes.length) throw new MalformedDnsMessage('a record runs past the end')
    if (recordClass !== CLASS_INTERNET) continue
    const data = readRecordData(bytes, type, dataStart, offset)
    // RFC 2181: a TTL with the top bit set counts as zero.
    into.push({ name, type, ttlSeconds: ttl > MAX_TTL_SECONDS ? 0 : ttl, data })
  }
  return offset
}

/** How long a negative answer may be cached (RFC 2308), or null if the server does not say. */
export function negativeTtlSeconds(message: DnsMessage): number | null {
  for (const record of message.authority) {
    if (record.type !== recordTypes.SOA) continue
    const minimum = Number(record.data.slice(record.data.lastIndexOf(' ') + 1))
    return Math.min(record.ttlSeconds, minimum)
  }
  return null
}
