// checks/rabbitmq/stand-in.fixture.ts: a stand-in for RabbitMQ with one queue, with just enough of AMQP 0-9-1
// to inspect it.
import type { Serve, ServedConnection } from '@pulseward/testing/targets'

export interface AmqpStandIn {
  readonly password?: string
  readonly queue?: { readonly name: string; readonly messages: number; readonly consumers: number }
  /** The only virtual host; by default every one exists. */
  readonly vhost?: string
}

const FRAME_END = Buffer.from([0xce])

export function amqpStandIn({ password, queue, vhost }: AmqpStandIn = {}): Serve {
  return async (connection) => {
    await connection.read(8)
    // Version 0-9, no properties, one mechanism, one locale.
    send(connection, 0, 10, 10, [Buffer.from([0, 9]), long(''), long('PLAIN'), long('en_US')])
    for (;;) {
      const { channel, classId, methodId, fields } = await readMethod(connection)
      switch (`${classId}.${methodId}`) {
        case '10.11':
          if (password === undefined || fields.includes(`\0${password}`))
            send(connection, 0, 10, 30, [Buffer.from([7, 255, 0, 2, 0, 0, 0, 60])])
          else close(connection, 403, `ACCESS_REFUSED - ${fields.toString('latin1').slice(-80)}`)
          break
        case '10.40':
          if (vhost === undefined || fields.toString('utf8', 1, 1 + fields[0]!) === vhost)
            send(connection, 0, 10, 41, [short('')])
          else close(connection, 530, 'NOT_ALLOWED')
          break
        case '20.10':
          send(connection, channel, 20, 11, [long('')])
          break
        case '50.10':
          if (queue !== undefined && fields.toString('utf8', 3, 3 + fields[2]!) === queue.name)
            send(connection, channel, 50, 11, [
              short(queue.name),
              number(queue.messages),
              number(queue.consumers),
            ])
          else send(connection, channel, 20, 40, [Buffer.from([1, 148]), short('NOT_FOUND'), Buffer.alloc(4)])
          break
        case '10.50':
          send(connection, 0, 10, 51, [])
      }
    }
  }
}

function close(connection: ServedConnection, code: number, text: string): void {
  send(connection, 0, 10, 50, [Buffer.from([code >> 8, code & 0xff]), short(text), Buffer.alloc(4)])
}

function send(
  connection: ServedConnection,
  channel: number,
  classId: number,
  methodId: number,
  fields: readonly Buffer[],
): void {
  const body = Buffer.concat([Buffer.from([0, classId, 0, methodId]), ...fields])
  connection.write(Buffer.concat([Buffer.from([1, 0, channel]), number(body.length), body, FRAME_END]))
}

async function readMethod(connection: ServedConnection) {
  const head = await connection.read(7)
  const channel = head.readUInt16BE(1)
  const body = Buffer.from(await connection.read(head.readUInt32BE(3) + 1))
  return {
    channel,
    classId: body.readUInt16BE(0),
    methodId: body.readUInt16BE(2),
    fields: body.subarray(4, -1),
  }
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function short(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

function long(text: string): Buffer {
  return Buffer.concat([number(Buffer.byteLength(text)), Buffer.from(text)])
}
