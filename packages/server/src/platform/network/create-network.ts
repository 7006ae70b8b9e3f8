// platform/network/create-network.ts: assembles the network: one policy, one resolver, one gate, the datagram
// sockets for DNS checks, one socket for pings. Disposing closes those sockets and the resolver; connections
// belong to their callers. Every probe thread has a network with the policy for checks, and the process has
// one for notifications and recoveries, whose policy is stricter (address-policy.ts).
import type { Socket } from 'node:net'
import type { Clock } from '../clock.ts'
import { untilStopped } from './abandon.ts'
import type { Resolution } from './address-cache.ts'
import type { AddressPolicy } from './address-policy.ts'
import { ConnectGate } from './connect-gate.ts'
import { Dial, type DialEnvironment } from './dial.ts'
import { DnsClient } from './dns-client.ts'
import { type DnsMessage, recordTypes } from './dns-message.ts'
import { type DnsServer, parseDnsServer } from './dns-server.ts'
import { type EchoSocket, openEchoSocket } from './echo-socket.ts'
import { type LibcSockets, loadLibcSockets } from './libc-sockets.ts'
import {
  type Abandon,
  ConnectError,
  type ConnectTarget,
  type DnsQuestion,
  type Family,
  type Network,
} from './network.ts'
import { pingByCommand } from './ping-command.ts'
import { Resolver } from './resolver.ts'
import { ResolverFiles } from './resolver-files.ts'

const OPENED_AT_ONCE = 256

const LOCAL_ADDRESSES: Readonly<Record<number, string>> = {
  [recordTypes.A]: '127.0.0.1',
  [recordTypes.AAAA]: '::1',
}

export interface NetworkOptions {
  /** Closed with the network. */
  readonly resolver: Resolver
  readonly policy: AddressPolicy
  /** How many connections may be opening at once. */
  readonly openedAtOnce?: number
  /** Loads the socket calls for pings; tests replace it. */
  readonly loadSockets?: () => Promise<LibcSockets | null>
}

export interface OwnedNetwork extends Network, Disposable {}

export function createNetwork(options: NetworkOptions): OwnedNetwork {
  return new SystemNetwork(options)
}

/** `resolvers` are name servers to use instead of the system's. */
export function openNetwork(
  policy: AddressPolicy,
  { resolvers }: { readonly resolvers: readonly string[] },
  clock: Clock,
): OwnedNetwork {
  const files = new ResolverFiles(resolvers)
  return createNetwork({ policy, resolver: new Resolver(files.config, { clock, files }) })
}

class SystemNetwork implements OwnedNetwork, DialEnvironment {
  readonly gate: ConnectGate
  readonly #resolver: Resolver
  readonly #policy: AddressPolicy
  readonly #dnsClient = new DnsClient()
  readonly #loadSockets: () => Promise<LibcSockets | null>
  #sockets: Promise<LibcSockets | null> | null = null
  #closed = false
  readonly #echoSockets = new Map<boolean, EchoSocket | null>()

  constructor(options: NetworkOptions) {
    this.gate = new ConnectGate(options.openedAtOnce ?? OPENED_AT_ONCE)
    this.#resolver = options.resolver
    this.#policy = options.policy
    this.#loadSockets = options.loadSockets ?? loadLibcSockets
  }

  async resolve(host: string, family: Family = 'any'): Promise<readonly string[]> {
    return this.admit(host, await this.lookup(host, family))
  }

  connect(target: ConnectTarget, abandon?: Abandon): Promise<Socket> {
    return new Promise((resolve, reject) => this.dial(target, abandon, resolve, reject))
  }

  dial(
    target: ConnectTarget,
    abandon: Abandon | undefined,
    connected: (socket: Socket) => void,
    failed: (error: unknown) => void,
  ): void {
    if (target.port >= 1 && target.port <= 65_535) new Dial(this, target, abandon, connected, failed).start()
    else failed(new ConnectError('BAD_PORT', `${target.port} is not a port`, 'target'))
  }

  refuses(address: string): string | null {
    return this.#policy(address)
  }

  queryDns(question: DnsQuestion, abandon?: Abandon): Promise<DnsMessage> {
    if (question.server === null) {
      const local = localAnswer(question.name, recordTypes[question.type])
      return local === null ? this.#ask(this.#resolver.server, question, abandon) : Promise.resolve(local)
    }
    return this.#dnsServer(question.server, abandon).then((server) => this.#ask(server, question, abandon))
  }

  async ping(address: string, timeoutMs: number, abandon?: Abandon): Promise<number | null> {
    const refusal = this.#policy(address)
    if (refusal !== null) throw new ConnectError('POLICY', refusal, 'target')
    this.#sockets ??= this.#loadSockets()
    const sockets = await this.#sockets
    if (this.#closed) throw new ConnectError('CLOSED', 'the network was closed', 'local')
    const isIpv6 = address.includes(':')
    let echo = this.#echoSockets.get(isIpv6)
    if (echo === undefined) {
      echo = sockets === null ? null : openEchoSocket(sockets, address)
      this.#echoSockets.set(isIpv6, echo)
    }
    return echo === null ? pingByCommand(address, timeoutMs, abandon) : echo.ping(address, timeoutMs, abandon)
  }

  [Symbol.dispose](): void {
    this.#closed = true
    this.#dnsClient[Symbol.dispose]()
    for (const echo of this.#echoSockets.values()) echo?.[Symbol.dispose]()
    this.#echoSockets.clear()
    this.#resolver[Symbol.dispose]()
  }

  lookup(host: string, family: Family = 'any'): Resolution | Promise<Resolution> {
    // URLs write an IPv6 host in brackets.
    return this.#resolver.lookup(host.charCodeAt(0) === 0x5b ? host.slice(1, -1) : host, family)
  }

  admit(host: string, { addresses, problem }: Resolution): readonly string[] {
    if (problem !== null) throw new ConnectError(problem.code, problem.message, problem.evidence)
    const [first = host] = addresses
    const refusal = this.#policy(first)
    // Nearly every name has one address; avoids building a list for it.
    if (addresses.length === 1 && refusal === null) return addresses
    const admitted = addresses.filter((address) => this.#policy(address) === null)
    if (admitted.length > 0) return admitted
    throw new ConnectError('POLICY', refusedName(host, first, refusal ?? 'it has no address'), 'target')
  }

  #ask(server: DnsServer, { name, type }: DnsQuestion, abandon: Abandon | undefined): Promise<DnsMessage> {
    return this.#dnsClient.query(server, name, recordTypes[type], Number.POSITIVE_INFINITY, abandon)
  }

  async #dnsServer(text: string, abandon: Abandon | undefined): Promise<DnsServer> {
    const server = parseDnsServer(text)
    if (server === null) throw new ConnectError('BAD_NAME', `${text} is not a DNS server`, 'target')
    const words = `no answer from the resolver for ${server.host}`
    const [address] = await untilStopped(this.resolve(server.host), abandon, words)
    return { address: address!, port: server.port }
  }
}

function refusedName(host: string, address: string, refusal: string): string {
  return host === address ? refusal : `${host} is not reached: ${refusal}`
}

/**
 * RFC 6761: localhost and names below it mean this machine and are never sent to a server, so checking them
 * needs no network. Null for every other name.
 */
function localAnswer(name: string, type: number): DnsMessage | null {
  const bare = name.toLowerCase().replace(/\.$/, '')
  if (bare !== 'localhost' && !bare.endsWith('.localhost')) return null
  const data = LOCAL_ADDRESSES[type]
  return {
    id: 0,
    rcode: 'NOERROR',
    truncated: false,
    questionName: bare,
    questionType: type,
    answers: data === undefined ? [] : [{ name: bare, type, ttlSeconds: 0, data }],
    authority: [],
  }
}
