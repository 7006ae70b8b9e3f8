// checks/icmp/icmp.ts: does a host answer echo requests? Node cannot open an ICMP socket, so on Linux pings
// go through node:ffi (an unprivileged ping socket, else a raw one): microseconds per ping, no process.
// Elsewhere, or if the system permits neither, the system's ping command is used. Without that too, the
// outcome is no_data and says what is missing, because nothing is known about the host.
import { untilStopped } from '../../platform/network/abandon.ts'
import { closed, Duration, Host, oneOf } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { CheckFailure, type CheckRun, deadlinePassed, defineCheck, fact, successWithin } from '../driver.ts'

const DEFAULT_COUNT = 3
const DEFAULT_MAX_LOSS_PERCENT = 50

export const icmp = defineCheck({
  summary: 'Sends echo requests (ping) and checks how many are answered.',
  config: closed({
    host: Type.Unsafe<string>({
      ...Host,
      description: 'A host name or an IP address alone, without a port and without brackets.',
    }),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        default: DEFAULT_COUNT,
        description: 'How many requests are sent.',
      }),
    ),
    max_loss: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 99,
        default: DEFAULT_MAX_LOSS_PERCENT,
        description: 'The percentage of requests that may go unanswered.',
      }),
    ),
    family: Type.Optional(oneOf(['any', 'ipv4', 'ipv6'], 'The IP family to use.', { default: 'any' })),
    max_latency: Type.Optional(
      Type.Unsafe<string>({ ...Duration, description: 'A mean round trip above this carries a warning.' }),
    ),
  }),
  target: ({ host }) => host,
  async check(config, run) {
    const { host, count = DEFAULT_COUNT } = config
    const lookup = run.network.resolve(host, config.family)
    const [address = ''] = await untilStopped(lookup, run, `no answer from the resolver for ${host}`)
    run.mark('resolve')
    run.observe?.(fact('address', address))
    const roundTrips = await pingInTurn(address, count, run)
    run.observe?.(fact('replies', `${roundTrips.length} of ${count}`))
    requireReplies(roundTrips.length, count, host, config.max_loss ?? DEFAULT_MAX_LOSS_PERCENT)
    const meanMs = roundTrips.reduce((sum, roundTrip) => sum + roundTrip, 0) / roundTrips.length
    return successWithin(meanMs, config.max_latency)
  },
})

/** The round trips that came back. Each request gets an equal share of the remaining time. */
async function pingInTurn(address: string, count: number, run: CheckRun): Promise<number[]> {
  const roundTrips: number[] = []
  for (let left = count; left > 0; left--) {
    const shareMs = (run.timeoutMs - run.elapsedMs()) / left
    if (shareMs <= 0) break
    const roundTripMs = await run.network.ping(address, shareMs, run)
    if (roundTripMs !== null) roundTrips.push(roundTripMs)
  }
  return roundTrips
}

function requireReplies(replies: number, count: number, host: string, maxLossPercent: number): void {
  const requests = count === 1 ? 'the echo request' : `${count} echo requests`
  if (replies === 0) throw deadlinePassed(`no answer from ${host} to ${requests}`)
  const lost = count - replies
  if ((lost / count) * 100 > maxLossPercent)
    throw new CheckFailure(`${lost} of ${requests} to ${host} went unanswered`)
}
