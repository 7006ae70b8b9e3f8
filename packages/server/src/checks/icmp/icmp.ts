// checks/icmp/icmp.ts: does a host answer echo requests? Node cannot open an ICMP socket, so pings go through node:ffi (an
// unprivileged ping socket, else a raw one) on Linux: microseconds a ping, no process. Elsewhere, or where the
// system permits neither, through the system's ping command; with neither, the answer is no_data and says what is
// missing, because nothing is known about the host.
import { untilStopped } from '../../platform/network/abandon.ts'
import type { Abandon } from '../../platform/network/network.ts'
import { closed, Duration, Host, oneOf } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { deadlinePassed, networkFailure, successWithin } from '../driver/outcomes.ts'
import { type CheckRun, defineCheck, failure, type Outcome } from '../driver.ts'

const DEFAULT_COUNT = 3
const DEFAULT_MAX_LOSS_PERCENT = 50

export const icmp = defineCheck({
  summary: 'Sends echo requests (ping) and judges how many are answered.',
  config: closed({
    host: Host,
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
    const abandon: Abandon = {}
    run.onDeadline(() => abandon.onStop?.())
    const count = config.count ?? DEFAULT_COUNT
    try {
      const lookup = run.network.resolve(config.host, config.family)
      const words = `no answer from the resolver for ${config.host}`
      const [address] = await untilStopped(lookup, abandon, words)
      run.mark('resolve')
      const roundTrips = await pingInTurn(address!, count, run, abandon)
      return judge(roundTrips, count, config, run)
    } catch (error) {
      return networkFailure(error, run)
    }
  },
})

/** The round trips that came back. Each request may take its share of the time that is left. */
async function pingInTurn(
  address: string,
  count: number,
  run: CheckRun,
  abandon: Abandon,
): Promise<number[]> {
  const roundTrips: number[] = []
  for (let left = count; left > 0; left--) {
    const shareMs = (run.timeoutMs - run.elapsedMs()) / left
    if (shareMs <= 0) break
    const roundTripMs = await run.network.ping(address, shareMs, abandon)
    if (roundTripMs !== null) roundTrips.push(roundTripMs)
  }
  return roundTrips
}

function judge(
  roundTrips: readonly number[],
  count: number,
  config: { host: string; max_loss?: number; max_latency?: string },
  run: CheckRun,
): Outcome {
  const requests = count === 1 ? 'the echo request' : `${count} echo requests`
  if (roundTrips.length === 0) return deadlinePassed(`no answer from ${config.host} to ${requests}`, run)
  const lostPercent = ((count - roundTrips.length) / count) * 100
  if (lostPercent > (config.max_loss ?? DEFAULT_MAX_LOSS_PERCENT)) {
    const lost = `${count - roundTrips.length} of ${requests} to ${config.host} went unanswered`
    return failure(run.elapsedMs(), lost)
  }
  const meanMs = roundTrips.reduce((sum, roundTrip) => sum + roundTrip, 0) / roundTrips.length
  return successWithin(meanMs, config.max_latency)
}
