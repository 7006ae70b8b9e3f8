// checks/mqtt/stand-in.fixture.ts: a stand-in for an MQTT broker with a single client, which gets back what it publishes.
import type { Serve, ServedConnection } from '@pulseward/testing/targets'

export interface MqttStandIn {
  /** What the answer to a login says: 0 lets in; by default 4 for a wrong password. */
  readonly code?: number
  readonly password?: string
  /** Grants no subscription. */
  readonly refusesTopics?: boolean
  /** Takes messages and sends none. */
  readonly losesMessages?: boolean
}

const [CONNECT, PUBLISH, SUBSCRIBE] = [1, 3, 8]

export function mqttStandIn(options: MqttStandIn = {}): Serve {
  return async (connection) => {
    for (;;) {
      const { first, body } = await readPacket(connection)
      const kind = first >> 4
      if (kind === CONNECT) {
        const isRight = options.password === undefined || passwordIn(body) === options.password
        connection.write(Buffer.from([0x20, 2, 0, options.code ?? (isRight ? 0 : 4)]))
      } else if (kind === SUBSCRIBE) {
        connection.write(Buffer.from([0x90, 3, body[0]!, body[1]!, options.refusesTopics ? 0x80 : 0]))
      } else if (kind === PUBLISH) {
        if (!options.losesMessages) connection.write(Buffer.concat([Buffer.from([first, body.length]), body]))
      } else return
    }
  }
}

/** Bodies of up to 127 bytes, which is what checks send in tests. */
async function readPacket(connection: ServedConnection): Promise<{ first: number; body: Buffer }> {
  const [first, length] = await connection.read(2)
  return { first: first!, body: Buffer.from(await connection.read(length!)) }
}

/** The last of the texts after the ten bytes of the head. */
function passwordIn(body: Buffer): string {
  let at = 10
  let last = ''
  while (at < body.length) {
    const length = body.readUInt16BE(at)
    last = body.toString('utf8', at + 2, at + 2 + length)
    at += 2 + length
  }
  return last
}
