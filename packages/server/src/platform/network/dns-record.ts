// platform/network/dns-record.ts: the record types that can be queried and the text form of their data, as
// written in a zone file (names without their trailing dot, text without quotes).
import { MalformedDnsMessage, offsetAfterName, readName } from './dns-name.ts'
import { formatIpv6 } from './ip-address.ts'

export const recordTypes = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  CAA: 257,
} as const

export type RecordType = keyof typeof recordTypes

/** The data between two offsets as text; data of other types is shown as hexadecimal. */
export function readRecordData(bytes: Buffer, type: number, start: number, end: number): string {
  switch (type) {
    case recordTypes.A:
      requireBytes(end - start === 4)
      return `${bytes[start]}.${bytes[start + 1]}.${bytes[start + 2]}.${bytes[start + 3]}`
    case recordTypes.AAAA:
      requireBytes(end - start === 16)
      return formatIpv6(Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(start + group * 2)))
    case recordTypes.CNAME:
    case recordTypes.NS:
    case recordTypes.PTR:
      return readLastName(bytes, start, end)
    case recordTypes.MX:
      requireBytes(end - start > 2)
      return `${bytes.readUInt16BE(start)} ${readLastName(bytes, start + 2, end)}`
    case recordTypes.SRV:
      return readService(bytes, start, end)
    case recordTypes.SOA:
      return readAuthority(bytes, start, end)
    case recordTypes.TXT:
      return readText(bytes, start, end)
    case recordTypes.CAA:
      return readIssuer(bytes, start, end)
    default:
      return bytes.toString('hex', start, end)
  }
}

function requireBytes(enough: boolean): void {
  if (!enough) throw new MalformedDnsMessage('the data of a record has the wrong length')
}

/** A name that must end where its data ends. */
function readLastName(bytes: Buffer, start: number, end: number): string {
  const name = readName(bytes, start)
  requireBytes(offsetAfterName() === end)
  return name
}

function readService(bytes: Buffer, start: number, end: number): string {
  requireBytes(end - start > 6)
  const priority = bytes.readUInt16BE(start)
  const weight = bytes.readUInt16BE(start + 2)
  return `${priority} ${weight} ${bytes.readUInt16BE(start + 4)} ${readLastName(bytes, start + 6, end)}`
}

function readAuthority(bytes: Buffer, start: number, end: number): string {
  const primary = readName(bytes, start)
  const mailbox = readName(bytes, offsetAfterName())
  const numbersAt = offsetAfterName()
  requireBytes(numbersAt + 20 === end)
  let text = `${primary} ${mailbox}`
  for (let i = 0; i < 5; i++) text += ` ${bytes.readUInt32BE(numbersAt + i * 4)}`
  return text
}

function readText(bytes: Buffer, start: number, end: number): string {
  const parts: Buffer[] = []
  for (let offset = start; offset < end; ) {
    const partEnd = offset + 1 + bytes[offset]!
    requireBytes(partEnd <= end)
    parts.push(bytes.subarray(offset + 1, partEnd))
    offset = partEnd
  }
  return Buffer.concat(parts).toString('utf8')
}

function readIssuer(bytes: Buffer, start: number, end: number): string {
  requireBytes(end - start >= 2)
  const valueAt = start + 2 + bytes[start + 1]!
  requireBytes(valueAt <= end)
  const tag = bytes.toString('latin1', start + 2, valueAt).toLowerCase()
  return `${bytes[start]} ${tag} ${bytes.toString('latin1', valueAt, end)}`
}
