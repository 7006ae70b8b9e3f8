// checks/ntp/ntp.ts: does a time server answer, and does it know the time? One datagram per check, never
// more: servers turn away clients that ask too often. A difference from our own clock is only a warning,
// because either clock may be wrong.
import { parseDuration } from '../../platform/duration.ts'
import { untilStopped } from '../../platform/network/abandon.ts'
import { exchangeDatagram } from '../../platform/network/datagram.ts'
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import { closed, Host, type Infer, Period, Port } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { durationInWords } from '../../platform/wording.ts'
import { IpFamily, MaxLatency } from '../driver/server-config.ts'
import { CheckFailure, defineCheck, fact, successWithin } from '../driver.ts'
import { type NtpAnswer, ntpRequest, readNtpAnswer } from './message.ts'

const DEFAULT_PORT = 123

const config = closed({
  host: Host,
  port: Type.Optional(Type.Unsafe<number>({ ...Port, default: DEFAULT_PORT, description: 'The port.' })),
  max_offset: Type.Optional(
    Type.Unsafe<string>({
      ...Period,
      description:
        "A success carries a warning when the server's clock and the one of this machine differ by more.",
    }),
  ),
  family: Type.Optional(IpFamily),
  max_latency: Type.Optional(MaxLatency),
})

type NtpConfig = Infer<typeof config>

export const ntp = defineCheck({
  summary: 'Asks a time server for the time and checks whether it knows it.',
  config,
  target: ({ host, port = DEFAULT_PORT }) => formatEndpoint(host, port),
  async check(config, run) {
    const { host, port = DEFAULT_PORT, family } = config
    const lookup = run.network.resolve(host, family)
    const addresses = await untilStopped(lookup, run, `no answer from the resolver for ${host}`)
    run.mark('resolve')
    run.observe?.(fact('address', addresses.join(', ')))
    const payload = ntpRequest()
    const sentAfterMs = run.elapsedMs()
    const take = (bytes: Buffer): NtpAnswer | 'garbage' | null => {
      const answer = readNtpAnswer(bytes, payload, Date.now())
      return answer === 'other' ? null : answer
    }
    const answer = await exchangeDatagram({ host, port, payload, take }, addresses, run)
    run.mark('first_byte')
    const latencyMs = run.elapsedMs()
    const peer = formatEndpoint(host, port)
    const offsetMs = Math.abs(offset(requireTime(answer, peer), latencyMs - sentAfterMs))
    run.observe?.(fact('difference of the clocks', durationInWords(offsetMs)))
    const outcome = successWithin(latencyMs, config.max_latency)
    const warning = offsetWarning(offsetMs, config, peer)
    return warning === null ? outcome : { ...outcome, warning }
  },
})

function requireTime(answer: NtpAnswer | 'garbage' | null, peer: string): NtpAnswer {
  if (answer === null || answer === 'garbage') throw new CheckFailure(`the answer of ${peer} is not NTP`)
  if (answer.kiss === 'RATE') throw new CheckFailure(`${peer} turns us away: it is asked too often`)
  if (answer.kiss !== null) throw new CheckFailure(`${peer} turns us away: this machine may not ask it`)
  if (!answer.isSynchronised) throw new CheckFailure(`the clock of ${peer} is not synchronised`)
  return answer
}

function offsetWarning(offsetMs: number, { max_offset }: NtpConfig, peer: string): string | null {
  const mostMs = max_offset === undefined ? null : parseDuration(max_offset)
  if (mostMs === null || offsetMs <= mostMs) return null
  return `the clock of ${peer} and ours differ by ${durationInWords(offsetMs)}, more than ${durationInWords(mostMs)}`
}

/** Assumes, as NTP does, that both directions took the same time. */
function offset({ receivedAtMs, sentAtMs }: NtpAnswer, roundTripMs: number): number {
  const nowMs = Date.now()
  return (receivedAtMs - (nowMs - roundTripMs) + (sentAtMs - nowMs)) / 2
}
