// platform/network/dial.ts: one connection attempt: resolve → check the addresses against the policy → wait
// for a place → connect. The next address is tried when one fails, or in parallel when it is silent for a
// while, so that one black-holed family does not use up the deadline; the first to connect wins and the
// others are closed. Stopping closes everything at once. A Dial settles exactly once.
import { connect, type Socket } from 'node:net'
import type { Resolution } from './address-cache.ts'
import { describeConnectError } from './connect-errors.ts'
import { type ConnectGate, type GateVisitor, OUTSIDE } from './connect-gate.ts'
import { discard } from './discard.ts'
import { formatEndpoint } from './ip-address.ts'
import { type Abandon, ConnectError, type ConnectTarget } from './network.ts'

/** RFC 8305: how long one address may be silent before the next is tried in parallel. */
const NEXT_ADDRESS_AFTER_MS = 250

/** All sockets of a thread read into one buffer: each read is processed before the next begins. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024)

function readInto(onBytes: (bytes: Buffer) => void) {
  return {
    buffer: readBuffer,
    callback: (count: number) => {
      onBytes(readBuffer.subarray(0, count))
      return true
    },
  }
}

export interface DialEnvironment {
  readonly gate: ConnectGate
  lookup(host: string, family: ConnectTarget['family']): Resolution | Promise<Resolution>
  /** The addresses that the policy admits; throws ConnectError if there is none. */
  admit(host: string, resolution: Resolution): readonly string[]
}

export class Dial implements GateVisitor {
  readonly #environment: DialEnvironment
  readonly #target: ConnectTarget
  readonly #abandon: Abandon | undefined
  readonly #resolve: (socket: Socket) => void
  readonly #reject: (error: unknown) => void
  place = OUTSIDE
  #phase: 'resolving' | 'waiting' | 'connecting' | 'settled' = 'resolving'
  #addresses: readonly string[] = []
  #next = 0
  /** Attempts that have neither connected nor failed yet. */
  #open: Socket[] = []
  #failure: ConnectError | null = null
  #patience: NodeJS.Timeout | null = null

  constructor(
    environment: DialEnvironment,
    target: ConnectTarget,
    abandon: Abandon | undefined,
    resolve: (socket: Socket) => void,
    reject: (error: unknown) => void,
  ) {
    this.#environment = environment
    this.#target = target
    this.#abandon = abandon
    this.#resolve = resolve
    this.#reject = reject
  }

  start(): void {
    if (this.#abandon !== undefined) {
      const stop = (): void => this.#stop()
      this.#abandon.onStop = stop
    }
    const resolution = this.#environment.lookup(this.#target.host, this.#target.family)
    if (resolution instanceof Promise) {
      resolution.then(
        (late) => this.#onResolved(late),
        (error) => this.#fail(error),
      )
    } else {
      this.#onResolved(resolution)
    }
  }

  begin(): void {
    this.#phase = 'connecting'
    this.#tryNext()
  }

  #onResolved(resolution: Resolution): void {
    if (this.#phase === 'settled') return
    try {
      this.#addresses = this.#environment.admit(this.#target.host, resolution)
    } catch (error) {
      this.#fail(error)
      return
    }
    this.#phase = 'waiting'
    this.#environment.gate.enter(this)
  }

  #tryNext(): void {
    const address = this.#addresses[this.#next++]!
    const { port, onBytes } = this.#target
    const socket = connect({
      host: address,
      port,
      autoSelectFamily: false,
      ...(onBytes === undefined ? {} : { onread: readInto(onBytes) }),
    })
    this.#open.push(socket)
    socket.on('connect', () => this.#onConnect(socket))
    // Stays on the socket, so that no error is uncaught before the new owner adds its own listener.
    socket.on('error', (error) => this.#onError(socket, address, error))
    if (this.#next >= this.#addresses.length) return
    this.#patience = setTimeout(() => this.#tryNext(), NEXT_ADDRESS_AFTER_MS)
  }

  #onConnect(socket: Socket): void {
    if (this.#phase === 'settled') return
    this.#settle(socket)
    this.#resolve(socket)
  }

  #onError(socket: Socket, address: string, error: NodeJS.ErrnoException): void {
    if (this.#phase === 'settled') return
    const failure = describeConnectError(error, this.#target.host, address, this.#target.port)
    // An answer from the target's side is better evidence than an address family that this machine cannot reach.
    if (this.#failure === null || (failure.evidence === 'target' && this.#failure.evidence === 'local')) {
      this.#failure = failure
    }
    this.#open = this.#open.filter((other) => other !== socket)
    if (this.#next < this.#addresses.length) {
      clearTimeout(this.#patience ?? undefined)
      this.#tryNext()
    } else if (this.#open.length === 0) {
      this.#fail(this.#failure)
    }
  }

  #stop(): void {
    const { host, port } = this.#target
    const words = {
      resolving: `no answer from the resolver for ${host}`,
      waiting: `no free place to connect to ${formatEndpoint(host, port)}`,
      connecting: `no connection to ${formatEndpoint(host, port)}`,
      settled: '',
    }[this.#phase]
    // A dial that never got a place has not tried: nothing is known about the target.
    this.#fail(new ConnectError(this.#phase === 'waiting' ? 'CROWDED' : 'ABORTED', words, 'local'))
  }

  #fail(error: unknown): void {
    if (this.#phase === 'settled') return
    this.#settle(null)
    this.#reject(error)
  }

  #settle(winner: Socket | null): void {
    this.#phase = 'settled'
    if (this.#abandon !== undefined) this.#abandon.onStop = undefined
    if (this.#patience !== null) clearTimeout(this.#patience)
    for (const socket of this.#open) if (socket !== winner) discard(socket)
    this.#open = []
    this.#environment.gate.leave(this)
  }
}
