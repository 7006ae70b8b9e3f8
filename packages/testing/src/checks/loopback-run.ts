// checks/loopback-run.ts: a run for a check under test. Every name is an address on loopback, every socket that
// was handed out is kept, and the deadline is a real timer or one that the test fires.
import { connect, isIP, type Socket } from 'node:net'
import type {
  CheckDriver,
  CheckRun,
  Observation,
  Observe,
  Outcome,
  Phase,
} from '@pulseward/server/internal/checks/driver.ts'
import {
  type Abandon,
  ConnectError,
  type ConnectTarget,
  type Network,
} from '@pulseward/server/internal/platform/network/network.ts'
import type { Static, TObject } from 'typebox'
import { Deadline } from './deadline.ts'

export class LoopbackRun extends Deadline implements CheckRun, Disposable {
  readonly timeoutMs: number
  /** Phases in the order in which they ended. */
  readonly marks: Phase[] = []
  /** What the check saw, if the test asked for it. */
  readonly observations: Observation[] = []
  observe: Observe = undefined
  /** What was asked of the network. */
  readonly connections: ConnectTarget[] = []
  /** Addresses and names that the policy of this run refuses. */
  readonly refused = new Set<string>()
  readonly sockets: Socket[] = []
  readonly #beganMs = performance.now()
  readonly #timer: NodeJS.Timeout

  constructor(timeoutMs = 5_000) {
    super()
    this.timeoutMs = timeoutMs
    this.#timer = setTimeout(() => this.pass(), timeoutMs)
  }

  readonly network: Network = {
    resolve: async (host) => [addressOf(host)],
    connect: (target, abandon) => this.#connect(target, abandon),
    dial: (target, abandon, connected, failed) =>
      void this.network.connect(target, abandon).then(connected, failed),
    refuses: (address) => (this.refused.has(address) ? `${address} may not be reached` : null),
    queryDns: () => Promise.reject(new ConnectError('UNSUPPORTED', 'no DNS on loopback', 'local')),
    ping: () => Promise.reject(new ConnectError('UNSUPPORTED', 'no ping on loopback', 'local')),
  }

  /** Sockets that the check has not closed. */
  get openSockets(): number {
    return this.sockets.filter((socket) => !socket.destroyed).length
  }

  elapsedMs(): number {
    return performance.now() - this.#beganMs
  }

  mark(phase: Phase): void {
    this.marks.push(phase)
  }

  /** As of a person who tries the check. */
  observed(): this {
    this.observe = (observation) => void this.observations.push(observation)
    return this
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }

  #connect(target: ConnectTarget, abandon: Abandon = {}): Promise<Socket> {
    this.connections.push(target)
    return new Promise((resolve, reject) => {
      if (this.refused.has(target.host)) {
        return reject(new ConnectError('POLICY', `${target.host} may not be reached`, 'target'))
      }
      const socket = connect({ host: addressOf(target.host), port: target.port })
      if (target.onBytes !== undefined) socket.on('data', target.onBytes)
      this.sockets.push(socket)
      abandon.onStop = () => {
        socket.destroy()
        reject(new ConnectError('ABORTED', `no connection to ${target.host}`, 'local'))
      }
      socket.on('connect', () => {
        abandon.onStop = undefined
        resolve(socket)
      })
      socket.on('error', (error: NodeJS.ErrnoException) => {
        reject(new ConnectError(error.code ?? '', `connection refused by ${target.host}`, 'target'))
      })
    })
  }
}

/** Runs a check to its end and refuses one that leaves a socket open. */
export async function runCheck<Schema extends TObject>(
  driver: CheckDriver<Schema>,
  config: Static<Schema>,
  run: LoopbackRun = new LoopbackRun(),
): Promise<Outcome> {
  using owned = run
  const outcome = await driver.check(config, owned)
  if (owned.openSockets > 0) throw new Error(`the check left ${owned.openSockets} sockets open`)
  return outcome
}

function addressOf(host: string): string {
  return isIP(host) === 0 ? '127.0.0.1' : host
}
