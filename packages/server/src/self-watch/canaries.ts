// self-watch/canaries.ts: small probes of this machine, run every few seconds, so that its failures are not blamed on
// the targets: a loopback connection, the configured resolver, the entry of the default gateway in the neighbour table.
// A canary that this system does not support is never reported.
import { readFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import type { Network } from '../platform/network/network.ts'
import { type Canary, EXCUSABLE_PER_SECOND } from './own-fault.ts'

const everyMs = 2_000
/**
 * With too few checks for `own-fault.ts` to call any failures many at once, it matters only that a canary has
 * passed once.
 */
const everyMsOfFew = 10_000
const patienceMs = 1_000

export interface CanaryOptions {
  readonly wanted: readonly Canary[]
  readonly network: Network
  readonly checksPerSecond: () => number
  readonly read: (canary: Canary, passes: boolean) => void
  /** Reads a kernel table by its path. */
  readonly readTable?: (path: string) => Promise<string>
}

export class Canaries {
  readonly #options: CanaryOptions
  readonly #loopback: Server
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(options: CanaryOptions) {
    this.#options = options
    // The peer of the loopback canary: a listener that closes every connection.
    this.#loopback = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    // If it cannot listen, the canary never passes, and a canary that has never passed is not considered.
    this.#loopback.on('error', () => {})
    this.#loopback.unref()
    this.#plan()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await new Promise((resolve) => this.#loopback.close(resolve))
  }

  #plan(): void {
    if (this.#stopped) return
    const isEnough = this.#options.checksPerSecond() >= EXCUSABLE_PER_SECOND
    this.#timer = setTimeout(() => void this.#readAll(), isEnough ? everyMs : everyMsOfFew)
  }

  async #readAll(): Promise<void> {
    const probes: Record<Canary, () => Promise<boolean | null>> = {
      loopback: () => this.#loopbackConnects(),
      resolver: () => this.#resolverAnswers(),
      gateway: () => gatewayIsReachable(this.#options.readTable ?? readKernelTable),
    }
    await Promise.all(
      this.#options.wanted.map(async (canary) => {
        const passes = await probes[canary]().catch(() => false)
        if (passes !== null && !this.#stopped) this.#options.read(canary, passes)
      }),
    )
    this.#plan()
  }

  #loopbackConnects(): Promise<boolean> {
    const address = this.#loopback.address()
    if (address === null || typeof address === 'string') return Promise.resolve(false)
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: address.port, timeout: patienceMs })
      const settle = (passes: boolean) => {
        socket.destroy()
        resolve(passes)
      }
      socket.once('connect', () => settle(true))
      socket.once('timeout', () => settle(false))
      socket.once('error', () => settle(false))
    })
  }

  /** Any answer shows that the resolver is there, whatever it says. */
  #resolverAnswers(): Promise<boolean> {
    const abandon: { onStop?: () => void } = {}
    const timer = setTimeout(() => abandon.onStop?.(), patienceMs)
    return this.#options.network
      .queryDns({ name: '.', type: 'NS', server: null }, abandon)
      .then(
        () => true,
        () => false,
      )
      .finally(() => clearTimeout(timer))
  }
}

function readKernelTable(path: string): Promise<string> {
  return readFile(path, 'utf8')
}

/** By the kernel's neighbour table: null when there is no default route or the system keeps no such table. */
async function gatewayIsReachable(readTable: (path: string) => Promise<string>): Promise<boolean | null> {
  const routes = await readTable('/proc/net/route').catch(() => '')
  const fields = routes.split('\n').map((line) => line.split('\t'))
  const gateway = fields.find((field) => field[1] === '00000000' && field[2] !== '00000000')?.[2]
  if (gateway === undefined) return null
  const address = gateway
    .match(/../g)!
    .reverse()
    .map((byte) => Number.parseInt(byte, 16))
    .join('.')
  const neighbours = await readTable('/proc/net/arp').catch(() => '')
  const entry = neighbours.split('\n').find((line) => line.startsWith(`${address} `))
  // No entry means that the address was not asked for, which says nothing; flags 0x0 mean that it did not answer.
  return entry === undefined ? null : !/\s0x0\s/.test(entry)
}
