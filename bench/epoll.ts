// bench/epoll.ts: the cost of Node's sockets compared with epoll, called through node:ffi: bare loops in one
// process, alternating, without any code of the product. The difference is the most that probe threads over
// epoll could save per check (docs/decisions/0040).
import { oneOf, wholeNumber } from '../scripts/command-line/flags.ts'
import { bareExchange } from './bare-probes.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import type { Targets } from './fleet-file.ts'
import { median } from './median.ts'

const question = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'
const inFlight = 64

interface Cost {
  readonly user: number
  readonly kernel: number
}

export const epoll = defineBenchmark({
  about: 'What a plain connection costs over Node’s sockets and over epoll through node:ffi.',
  flags: {
    type: oneOf(['http', 'tcp'], 'http', 'what is asked of the targets'),
    checks: wholeNumber(4_000, 'in each round'),
    rounds: wholeNumber(9, 'of each'),
  },
  run: measure,
})

async function measure(wanted: {
  type: 'http' | 'tcp'
  checks: number
  rounds: number
}): Promise<Measurement> {
  const { type, checks, rounds } = wanted
  if (process.platform !== 'linux') return { figures: {}, undone: ['There is no epoll on this system.'] }
  using children = new ChildProcesses()
  const { live } = await children.helper<Targets>('fleet-targets.ts', ['32', '0', type])
  const questions = type === 'http' ? [question] : []
  const { BareEpoll } = await import('./bare-epoll.ts')
  using loop = new BareEpoll(live, Buffer.from(questions.join('')))
  const probes = live.map((port) => bareExchange(port, questions))
  const overSockets = async (count: number): Promise<void> => {
    let started = 0
    const one = async (): Promise<void> => {
      while (started < count) await probes[started++ % probes.length]!()
    }
    await Promise.all(Array.from({ length: inFlight }, one))
  }
  const overEpoll = (count: number): void => loop.run(count, inFlight)

  // Twice as many first, so that both are compiled.
  await overSockets(2 * checks)
  overEpoll(2 * checks)
  const sockets: Cost[] = []
  const epolls: Cost[] = []
  for (let round = 0; round < rounds; round++) {
    sockets.push(await costOf(overSockets, checks))
    epolls.push(await costOf(overEpoll, checks))
  }
  const figures = { type, checks, rounds, sockets_us: medians(sockets), epoll_us: medians(epolls) }
  for (const [name, { user, kernel }] of [
    ['sockets of Node', figures.sockets_us],
    ['epoll, node:ffi', figures.epoll_us],
  ] as const)
    console.error(
      `${name}  ${(user + kernel).toFixed(1).padStart(6)} µs a check: ${user.toFixed(1)} in the process, ${kernel.toFixed(1)} in the kernel`,
    )
  return { figures, undone: [] }
}

async function costOf(run: (count: number) => void | Promise<void>, count: number): Promise<Cost> {
  const before = process.cpuUsage()
  await run(count)
  const { user, system } = process.cpuUsage(before)
  return { user: user / count, kernel: system / count }
}

function medians(costs: readonly Cost[]): Cost {
  return { user: median(costs.map(({ user }) => user)), kernel: median(costs.map(({ kernel }) => kernel)) }
}
