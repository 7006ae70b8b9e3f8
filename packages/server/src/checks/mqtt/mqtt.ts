// checks/mqtt/mqtt.ts: does an MQTT broker let us in and, if asked, deliver a message? Speaks version 3.1.1, which every
// broker understands, by hand: it is four small packets, and a client library would bring its own timers and reconnects.
// The message of a round trip is not retained and goes to every other subscriber of the topic.
import { randomBytes } from 'node:crypto'
import { closed, type Infer } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { quote } from '../../platform/wording.ts'
import { oneServer, type Server, serverFields, serverTarget } from '../driver/server-config.ts'
import { inServerSession } from '../driver/server-session.ts'
import type { Session } from '../driver/session.ts'
import { CheckFailure, defineCheck } from '../driver.ts'
import { connectPacket, DISCONNECT, kinds, publishPacket, readPacket, subscribePacket } from './packets.ts'

const protocol = { scheme: 'mqtt', port: 1883, secureScheme: 'mqtts', securePort: 8883 } as const

const config = oneServer(
  closed({
    ...serverFields(protocol),
    client_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'The name to connect under; a new one each time by default.',
      }),
    ),
    topic: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_024,
        // MQTT forbids NUL outright, and brokers may refuse the other control characters.
        pattern: '^[^+#\\u0000-\\u001f]+$',
        description:
          'A topic to send a message to and to get it back from, without wildcards; none by default.',
      }),
    ),
    message: Type.Optional(
      Type.String({ maxLength: 4_096, description: 'What is sent; a random text by default.' }),
    ),
  }),
  protocol,
)

type MqttConfig = Infer<typeof config>

/** What the codes of a refused connection mean. */
const refusals: Readonly<Record<number, (peer: string) => string>> = {
  1: (peer) => `${peer} does not speak MQTT 3.1.1`,
  2: (peer) => `${peer} refused the client_id`,
  3: (peer) => `${peer} says that the broker is unavailable`,
  4: (peer) => `the login was refused by ${peer}`,
  5: (peer) => `the login was refused by ${peer}`,
}

export const mqtt = defineCheck({
  summary: 'Connects to an MQTT broker, optionally sends a message and waits for it to come back.',
  config,
  target: (config) => serverTarget(config, protocol),
  check: (config, run) =>
    inServerSession(run, config, protocol, (session, server) => talk(session, config, server)),
})

async function talk(session: Session, config: MqttConfig, server: Server): Promise<void> {
  const { user, password, tls } = server
  if (tls !== null) await session.secure(tls)
  const clientId = config.client_id ?? `pulseward-${randomBytes(6).toString('hex')}`
  session.awaits('answer to the login')
  session.write(connectPacket(clientId, user, password))
  const { kind, body } = await readPacket(session)
  if (kind !== kinds.connectAnswer || body.length !== 2) throw session.speaksOtherThan('MQTT')
  const code = body.readUInt8(1)
  if (code !== 0)
    throw new CheckFailure(refusals[code]?.(session.peer) ?? `${session.peer} refused the login (${code})`)
  if (config.topic !== undefined) await roundTrip(session, config.topic, config.message)
  // Without it a broker considers the connection lost and may tell others so.
  session.write(DISCONNECT)
}

async function roundTrip(session: Session, topic: string, message: string | undefined): Promise<void> {
  const sent = Buffer.from(message ?? `pulseward ${randomBytes(12).toString('hex')}`)
  session.awaits(`answer to the subscription to ${quote(topic)}`)
  session.write(subscribePacket(topic))
  for (;;) {
    const { kind, body } = await readPacket(session)
    // Messages of others, and one that the broker has retained, may come before the answer.
    if (kind === kinds.publish) continue
    if (kind !== kinds.subscribeAnswer || body.length !== 3) throw session.speaksOtherThan('MQTT')
    if (body[2] === 0x80)
      throw new CheckFailure(`${session.peer} refused the subscription to ${quote(topic)}`)
    break
  }
  session.awaits(`message on ${quote(topic)}`)
  session.write(publishPacket(topic, sent))
  for (;;) {
    const { kind, body } = await readPacket(session)
    if (kind !== kinds.publish) throw session.speaksOtherThan('MQTT')
    if (body.length >= sent.length && body.subarray(-sent.length).equals(sent)) return
  }
}
