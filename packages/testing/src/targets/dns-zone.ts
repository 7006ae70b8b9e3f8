// targets/dns-zone.ts: a zone as a table, and its records on the wire. It does not share code with the
// service's codec, so that a mistake there cannot hide behind the same mistake here.
import { isIPv6 } from 'node:net'

export type ZoneRecord =
  | { readonly type: 'A' | 'AAAA' | 'CNAME' | 'NS' | 'PTR'; readonly value: string; readonly ttl?: number }
  | { readonly type: 'TXT'; readonly value: string | readonly string[]; readonly ttl?: number }
  | { readonly type: 'MX'; readonly preference: number; readonly value: string; readonly ttl?: number }
  | {
      readonly type: 'SRV'
      readonly priority: number
      readonly weight: number
      readonly port: number
      readonly value: string
      readonly ttl?: number
    }
  | {
      readonly type: 'CAA'
      readonly flags: number
      readonly tag: string
      readonly value: string
      readonly ttl?: number
    }
  | {
      readonly type: 'SOA'
      readonly primary: string
      readonly mailbox: string
      /** serial, refresh, retry, expire, minimum */
      readonly numbers: readonly [number, number, number, number, number]
      readonly ttl?: number
    }

/** Records by lower-case name; '' holds the SOA of negative answers. */
export type Zone = Record<string, readonly ZoneRecord[]>

export const typeNumbers = {
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

export function wireName(name: string): Buffer {
  const labels = name
    .replace(/\.$/, '')
    .split('.')
    .filter((label) => label !== '')
  const parts = labels.map((label) =>
    Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')]),
  )
  return Buffer.concat([...parts, Buffer.from([0])])
}

export function wireRecord(name: Buffer, record: ZoneRecord): Buffer {
  const data = wireData(record)
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(typeNumbers[record.type], 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(record.ttl ?? 300, 4)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([name, fixed, data])
}

function wireData(record: ZoneRecord): Buffer {
  switch (record.type) {
    case 'A':
      return Buffer.from(record.value.split('.').map(Number))
    case 'AAAA':
      return wireIpv6(record.value)
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return wireName(record.value)
    case 'TXT':
      return Buffer.concat([record.value].flat().map(wireText))
    case 'MX':
      return Buffer.concat([numbers16(record.preference), wireName(record.value)])
    case 'SRV':
      return Buffer.concat([numbers16(record.priority, record.weight, record.port), wireName(record.value)])
    case 'CAA':
      return Buffer.concat([Buffer.from([record.flags]), wireText(record.tag), Buffer.from(record.value)])
    case 'SOA': {
      const tail = Buffer.alloc(20)
      record.numbers.forEach((value, index) => void tail.writeUInt32BE(value, index * 4))
      return Buffer.concat([wireName(record.primary), wireName(record.mailbox), tail])
    }
  }
}

function wireText(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

function numbers16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, index) => void bytes.writeUInt16BE(value, index * 2))
  return bytes
}

function wireIpv6(text: string): Buffer {
  if (!isIPv6(text)) throw new TypeError(`${text} is not an IPv6 address`)
  const [head = '', tail] = text.split('::')
  const before = head.split(':').filter(Boolean)
  const after = (tail ?? '').split(':').filter(Boolean)
  const middle = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return numbers16(...[...before, ...middle, ...after].map((group) => Number.parseInt(group, 16)))
}
