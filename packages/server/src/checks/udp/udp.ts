// checks/udp/udp.ts: does something answer datagrams at a port? UDP acknowledges nothing: without an expected answer, a
// success only means that the datagram was sent and not refused, and a firewall that drops everything looks the same.
// Quotes nothing from a peer: what was sent may hold a secret, and a peer may echo it.
import { untilStopped } from '../../platform/network/abandon.ts'
import { exchangeDatagram } from '../../platform/network/datagram.ts'
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import { closed, Duration, Host, type Infer, OpenOrSecret, oneOf, Port } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { quote } from '../../platform/wording.ts'
import { assertion, CheckFailure, defineCheck, fact, successWithin, UnusableConfig } from '../driver.ts'

/** How long to wait for a refusal if no answer is expected; at most half of the timeout. */
const REFUSED_WITHIN_MS = 500

const encodings = ['text', 'hex', 'base64'] as const

const config = closed({
  host: Host,
  port: Port,
  family: Type.Optional(oneOf(['any', 'ipv4', 'ipv6'], 'The IP family to use.', { default: 'any' })),
  send: Type.Optional(
    Type.Unsafe<string>({ ...OpenOrSecret, description: 'What to send; an empty datagram by default.' }),
  ),
  expect: Type.Optional(
    Type.String({
      maxLength: 4_096,
      description:
        'What must occur in the first answer; empty takes any answer. Without it a success means only that ' +
        'the datagram was not refused within 500 ms, or half of the timeout where that is less.',
    }),
  ),
  encoding: Type.Optional(oneOf(encodings, 'How send and expect are written.', { default: 'text' })),
  max_latency: Type.Optional(
    Type.Unsafe<string>({ ...Duration, description: 'A success that takes longer carries a warning.' }),
  ),
})

type UdpConfig = Infer<typeof config>

export const udp = defineCheck({
  summary: 'Sends one datagram and waits for an answer, or for a refusal.',
  config,
  target: ({ host, port }) => formatEndpoint(host, port),
  async check(config, run) {
    const { host, port, encoding, expect = '' } = config
    const payload = decoded(config.send ?? '', encoding)
    const wanted = decoded(expect, encoding)
    const lookup = run.network.resolve(host, config.family)
    const addresses = await untilStopped(lookup, run, `no answer from the resolver for ${host}`)
    run.mark('resolve')
    run.observe?.(fact('address', addresses.join(', ')))
    const sentAfterMs = run.elapsedMs()
    const quietAfterMs = Math.min(REFUSED_WITHIN_MS, run.timeoutMs / 2)
    const isRight = await exchangeDatagram(
      {
        host,
        port,
        payload,
        ...(config.expect === undefined ? { quietAfterMs } : {}),
        take: (answer) => answer.includes(wanted),
      },
      addresses,
      run,
    )
    // The time spent waiting for a refusal says nothing about the target.
    if (isRight === null) return successWithin(sentAfterMs, config.max_latency)
    run.mark('first_byte')
    run.observe?.(assertion('answer contains', isRight ? 'found' : 'not found', quote(expect), isRight))
    if (isRight) return successWithin(run.elapsedMs(), config.max_latency)
    throw new CheckFailure(`the answer of ${formatEndpoint(host, port)} is without ${quote(expect)}`)
  },
})

function decoded(text: string, encoding: UdpConfig['encoding'] = 'text'): Buffer {
  if (encoding === 'text') return Buffer.from(text, 'utf8')
  const compact = text.replace(/\s+/g, '')
  const bytes = Buffer.from(compact, encoding)
  // Node skips what it cannot decode.
  const written = bytes.toString(encoding).replace(/=+$/, '')
  if (written === (encoding === 'hex' ? compact.toLowerCase() : compact.replace(/=+$/, ''))) return bytes
  throw new UnusableConfig(`the configured send or expect is not ${encoding}`)
}
