// bench/check.ts: the CPU cost of one check of each driver, through the real runner and the real network,
// compared with the usual library of its protocol, or a bare socket loop, in the same run. Rounds of both
// alternate and the median counts, so that a busy machine affects both alike; targets are other processes on
// loopback, whose CPU time is not counted.
import type { CheckDriver } from '../packages/server/src/checks/driver.ts'
import { checks } from '../packages/server/src/checks/registry.ts'
import { runCheck } from '../packages/server/src/checks/runner.ts'
import { systemClock } from '../packages/server/src/platform/clock.ts'
import { checkPolicy } from '../packages/server/src/platform/network/address-policy.ts'
import { openNetwork } from '../packages/server/src/platform/network/create-network.ts'
import { someOf, wholeNumber } from '../scripts/command-line/flags.ts'
import type { Probe } from './bare-probes.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { type Case, type DriverName, prepareCases } from './check-cases.ts'
import { ChildProcesses } from './child-processes.ts'
import { median } from './median.ts'

interface Cost {
  readonly name: string
  readonly target: string
  readonly beside: string
  readonly rounds: number
  readonly cpu_us: number
  readonly alone_us: number
  readonly ratio: number
}

const allDrivers = Object.keys(checks) as DriverName[]
const timeoutMs = 10_000
const wantedRounds = 9
/** With fewer, one bad moment would count; there are fewer than wanted only if the machine is very busy. */
const leastRounds = 3

export const check = defineBenchmark({
  about: 'The CPU of one check of each driver, beside the usual library of its protocol.',
  flags: {
    drivers: someOf('NAME', allDrivers, 'the checks that are measured'),
    seconds: wholeNumber(45, 'for the whole run'),
  },
  run: ({ drivers, seconds }) => measureAll(drivers, seconds),
})

async function measureAll(drivers: readonly DriverName[], seconds: number): Promise<Measurement> {
  const endMs = performance.now() + seconds * 1_000
  using children = new ChildProcesses()
  const cases = await prepareCases(children, drivers)
  const costs: Cost[] = []
  const failed: string[] = []
  console.error(`check           target          µs CPU     alone  ratio  beside`)
  for (const [index, each] of cases.entries()) {
    try {
      const cost = await measure(each, (endMs - performance.now()) / (cases.length - index))
      costs.push(cost)
      print(cost)
    } catch (error) {
      failed.push(each.name)
      console.error(`${each.name.padEnd(15)} ${each.server}: ${(error as Error).message}`)
    }
  }
  const unmeasured = drivers.filter((driver) => !cases.some((each) => each.driver === driver))
  if (unmeasured.length > 0) console.error(`no target here for: ${unmeasured.join(', ')}`)
  const undone = [
    ...(failed.length > 0 ? [`Not every check of ${failed.join(', ')} succeeded.`] : []),
    // If all drivers are measured, missing servers are not a failure.
    ...(drivers !== allDrivers && unmeasured.length > 0
      ? [`There is no target here for ${unmeasured.join(', ')}.`]
      : []),
    ...(costs.length === 0 ? ['No check was measured.'] : []),
  ]
  return { figures: { seconds, drivers: costs, failed, unmeasured }, undone }
}

function print({ name, target, cpu_us, alone_us, ratio, beside }: Cost): void {
  const costs = [cpu_us, alone_us].map((value) => value.toFixed(1).padStart(10)).join('')
  console.error(`${name.padEnd(15)} ${target.padEnd(11)}${costs}${ratio.toFixed(2).padStart(7)}  ${beside}`)
}

async function measure(each: Case, budgetMs: number): Promise<Cost> {
  const beganMs = performance.now()
  const checksInRound = await compile(each, budgetMs / 3)
  const oursUs: number[] = []
  const aloneUs: number[] = []
  while (oursUs.length < wantedRounds) {
    if (oursUs.length >= leastRounds && performance.now() - beganMs > budgetMs) break
    oursUs.push(await roundOfOurs(each, checksInRound))
    aloneUs.push(await roundOfAlone(each, checksInRound))
  }
  const [cpu_us, alone_us] = [median(oursUs), median(aloneUs)]
  const { name, server, beside } = each
  return { name, target: server, beside, rounds: oursUs.length, cpu_us, alone_us, ratio: cpu_us / alone_us }
}

/** Runs both until their code is compiled, and returns how many checks make a round of the remaining time. */
async function compile(each: Case, forMs: number): Promise<number> {
  const beganMs = performance.now()
  let pairs = 0
  do {
    await roundOfOurs(each, each.inFlight)
    await roundOfAlone(each, each.inFlight)
    pairs += each.inFlight
  } while (performance.now() - beganMs < forMs)
  const pairMs = (performance.now() - beganMs) / pairs
  return Math.max(each.inFlight, Math.floor((2 * forMs) / wantedRounds / pairMs))
}

/**
 * A new network for each round: a raw echo socket that stays open would fill up with the replies to the
 * baseline's requests.
 */
async function roundOfOurs(each: Case, count: number): Promise<number> {
  const { name, driver, config } = each
  using network = openNetwork(checkPolicy({ allowLinkLocal: false }), { resolvers: [] }, systemClock)
  const job = { driver: checks[driver] as unknown as CheckDriver, config, timeoutMs, retries: 0, secrets: [] }
  const probe: Probe = () =>
    new Promise((resolve, reject) => {
      runCheck(job, network, systemClock, ({ status, reason }) =>
        status === 'success' ? resolve() : reject(new Error(`${name}: ${reason}`)),
      )
    })
  return await cpuUsOf(probe, count, each)
}

async function roundOfAlone(each: Case, count: number): Promise<number> {
  using opened = await each.alone()
  return await cpuUsOf(opened.probe, count, each)
}

/** CPU time of this process with all its threads, per probe of many in flight. */
async function cpuUsOf(probe: Probe, count: number, { inFlight, beside }: Case): Promise<number> {
  let left = count
  const before = process.cpuUsage()
  const done = Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) await probe()
    }),
  )
  // The baseline has no deadline, and a datagram may be lost.
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, 2 * timeoutMs, new Error(`a round of it, or of ${beside}, does not end`))
  await Promise.race([done, tooLong]).finally(() => clearTimeout(timer))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}
