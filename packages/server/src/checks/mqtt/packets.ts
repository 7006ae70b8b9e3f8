// checks/mqtt/packets.ts: the packets of MQTT 3.1.1 that a check needs, written and read. A packet is a byte
// for its kind, a length of one to four bytes, and that many bytes.
import { MAX_ANSWER_BYTES, type Session } from '../driver/session.ts'
import { CheckFailure } from '../driver.ts'

export const kinds = { connectAnswer: 2, publish: 3, subscribeAnswer: 9 } as const

export const DISCONNECT = Buffer.from([0xe0, 0x00])

const CLEAN_SESSION = 0x02
const HAS_PASSWORD = 0x40
const HAS_USER = 0x80
/** Longer than any check; the broker may drop us after one and a half times this. */
const KEEP_ALIVE_SECONDS = 120

export interface Packet {
  readonly kind: number
  readonly body: Buffer
}

export function connectPacket(clientId: string, user: string | null, password: string | null): Buffer {
  // This version permits no password without a user.
  const name = user ?? (password === null ? null : '')
  const flags = CLEAN_SESSION | (name === null ? 0 : HAS_USER) | (password === null ? 0 : HAS_PASSWORD)
  return packet(0x10, [
    text('MQTT'),
    Buffer.from([4, flags, KEEP_ALIVE_SECONDS >> 8, KEEP_ALIVE_SECONDS & 0xff]),
    text(clientId),
    ...(name === null ? [] : [text(name)]),
    ...(password === null ? [] : [text(password)]),
  ])
}

/** Quality of service 0: a check is about one connection, and the broker should keep nothing for it. */
export function subscribePacket(topic: string): Buffer {
  return packet(0x82, [Buffer.from([0, 1]), text(topic), Buffer.from([0])])
}

export function publishPacket(topic: string, message: Buffer): Buffer {
  return packet(0x30, [text(topic), message])
}

export async function readPacket(session: Session): Promise<Packet> {
  const kind = (await session.read(1)).readUInt8() >> 4
  if (kind !== kinds.connectAnswer && kind !== kinds.publish && kind !== kinds.subscribeAnswer)
    throw session.speaksOtherThan('MQTT')
  let length = 0
  for (let shift = 0; ; shift += 7) {
    const byte = (await session.read(1)).readUInt8()
    length += (byte & 0x7f) << shift
    if (byte < 0x80) break
    if (shift === 21) throw session.speaksOtherThan('MQTT')
  }
  if (kind !== kinds.publish && length > 8) throw session.speaksOtherThan('MQTT')
  if (length > MAX_ANSWER_BYTES) throw new CheckFailure(`a message of ${session.peer} is longer than 1 MiB`)
  return { kind, body: await session.read(length) }
}

function packet(first: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length: number[] = []
  let rest = body.length
  do {
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>= 7
  } while (rest > 0)
  return Buffer.concat([Buffer.from([first, ...length]), body])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}
