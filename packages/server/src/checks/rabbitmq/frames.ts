// checks/rabbitmq/frames.ts: AMQP 0-9-1 on the wire: frames that carry methods, and the few field types that
// a check writes. A frame is a kind, a channel, a size, that many bytes, and an end mark.
import { MAX_ANSWER_BYTES, type Session } from '../driver/session.ts'

const METHOD = 1
const HEARTBEAT = 8
const FRAME_END = 0xce

export interface Method {
  readonly classId: number
  readonly methodId: number
  readonly fields: Buffer
}

/** Names and values; a check needs only texts, booleans and nested tables as values. */
type TableEntries = readonly (readonly [name: string, value: string | boolean | TableEntries])[]

export function methodFrame(
  channel: number,
  [classId, methodId]: readonly [number, number],
  fields: readonly Buffer[],
): Buffer {
  const head = Buffer.alloc(11)
  const size = 4 + fields.reduce((bytes, field) => bytes + field.length, 0)
  head.writeUInt8(METHOD, 0)
  head.writeUInt16BE(channel, 1)
  head.writeUInt32BE(size, 3)
  head.writeUInt16BE(classId, 7)
  head.writeUInt16BE(methodId, 9)
  return Buffer.concat([head, ...fields, Buffer.from([FRAME_END])])
}

export async function readMethod(session: Session): Promise<Method> {
  for (;;) {
    const head = await session.read(7)
    const size = head.readUInt32BE(3)
    const kind = head[0]
    if ((kind !== METHOD && kind !== HEARTBEAT) || size > MAX_ANSWER_BYTES - 1)
      throw session.speaksOtherThan('AMQP 0-9-1')
    const body = await session.read(size + 1)
    if (body[size] !== FRAME_END) throw session.speaksOtherThan('AMQP 0-9-1')
    if (kind === HEARTBEAT) continue
    if (size < 4) throw session.speaksOtherThan('AMQP 0-9-1')
    return { classId: body.readUInt16BE(0), methodId: body.readUInt16BE(2), fields: body.subarray(4, size) }
  }
}

/** At most 255 bytes, which the schema of every such field ensures. */
export function shortText(value: string): Buffer {
  const bytes = Buffer.from(value).subarray(0, 255)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

export function longText(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

export function table(entries: TableEntries): Buffer {
  const parts = entries.map(([name, value]) => Buffer.concat([shortText(name), tableValue(value)]))
  return longText(Buffer.concat(parts))
}

function tableValue(value: string | boolean | TableEntries): Buffer {
  if (typeof value === 'string') return Buffer.concat([Buffer.from('S'), longText(value)])
  if (typeof value === 'boolean') return Buffer.from(['t'.charCodeAt(0), value ? 1 : 0])
  return Buffer.concat([Buffer.from('F'), table(value)])
}
