// platform/network/dns-client.ts: queries DNS servers over two shared datagram sockets per family, whose ports change. An
// answer counts only if it comes from the queried server, to the querying port, with the random id and the question that
// were sent; everything else is dropped. A query is resent every second, and repeated over TCP if its answer is
// truncated. Nothing is cached here; memory is bounded by the number of queries in flight.
import { randomFillSync } from 'node:crypto'
import type { RemoteInfo } from 'node:dgram'
import { type DnsMessage, decodeMessage, encodeQuery } from './dns-message.ts'
import type { DnsServer } from './dns-server.ts'
import { type DnsSocket, type DnsSocketListener, DnsSockets } from './dns-sockets.ts'
import { exchangeOverTcp } from './dns-tcp.ts'
import { formatEndpoint } from './ip-address.ts'
import { type Abandon, ConnectError } from './network.ts'

const RESEND_EVERY_MS = 1_000
const SWEEP_EVERY_MS = 50
/** Half of the ids: a random pick then finds a free one quickly and stays hard to guess. */
const MAX_IN_FLIGHT = 32_768

interface Pending {
  readonly id: number
  readonly server: DnsServer
  readonly name: string
  readonly type: number
  readonly packet: Buffer
  /** The socket that sent the query, on which its answer must arrive. */
  readonly socket: DnsSocket
  readonly resolve: (message: DnsMessage) => void
  readonly reject: (error: ConnectError) => void
  readonly abandon: Abandon | undefined
  resendAtMs: number
  readonly giveUpAtMs: number
  /** Set while the query is repeated over TCP. */
  closeTcp: (() => void) | null
}

export class DnsClient implements Disposable, DnsSocketListener {
  readonly #pending = new Map<number, Pending>()
  readonly #randoms = new Uint16Array(512)
  #nextRandom = 512
  readonly #ipv4 = new DnsSockets('udp4', this)
  readonly #ipv6 = new DnsSockets('udp6', this)
  #sweep: NodeJS.Timeout | null = null
  #closed = false

  get inFlight(): number {
    return this.#pending.size
  }

  get openSockets(): number {
    return this.#ipv4.open + this.#ipv6.open
  }

  /** An answer of any rcode; rejects with ConnectError. giveUpAfterMs may be Infinity if abandon is given. */
  query(
    server: DnsServer,
    name: string,
    type: number,
    giveUpAfterMs: number,
    abandon?: Abandon,
  ): Promise<DnsMessage> {
    return new Promise((resolve, reject) => {
      const problem = this.#problemBefore()
      if (problem !== null) return reject(problem)
      const id = this.#freeId()
      const packet = encodeQuery(id, name, type)
      if (packet === null)
        return reject(new ConnectError('BAD_NAME', `${name} is not a valid DNS name`, 'target'))
      const now = performance.now()
      const pending: Pending = {
        id,
        server,
        // The answer repeats the question without a trailing dot and in lower case.
        name: name.endsWith('.') && name.length > 1 ? name.slice(0, -1) : name,
        type,
        packet,
        socket: this.#socketsFor(server).take(this.#random(), now),
        resolve,
        reject,
        abandon,
        resendAtMs: now + RESEND_EVERY_MS,
        giveUpAtMs: now + giveUpAfterMs,
        closeTcp: null,
      }
      this.#pending.set(id, pending)
      const stop = (): void =>
        this.#fail(pending, 'ABORTED', `no answer from the DNS server ${label(server)}`, 'local')
      if (abandon !== undefined) abandon.onStop = stop
      this.#send(pending)
      this.#sweep ??= setInterval(() => this.#onSweep(), SWEEP_EVERY_MS)
    })
  }

  [Symbol.dispose](): void {
    this.#closed = true
    for (const pending of this.#pending.values()) {
      this.#fail(pending, 'CLOSED', 'the DNS client was closed', 'local')
    }
    this.#ipv4[Symbol.dispose]()
    this.#ipv6[Symbol.dispose]()
  }

  heard(socket: DnsSocket, bytes: Buffer, from: RemoteInfo): void {
    if (bytes.length < 2) return
    const pending = this.#pending.get(bytes.readUInt16BE(0))
    if (pending === undefined || pending.socket !== socket || pending.closeTcp !== null) return
    if (from.address !== pending.server.address || from.port !== pending.server.port) return
    this.#onAnswer(pending, bytes, false)
  }

  failed(socket: DnsSocket): void {
    for (const pending of this.#pending.values()) if (pending.socket === socket) this.#failWithSocket(pending)
  }

  #problemBefore(): ConnectError | null {
    if (this.#closed) return new ConnectError('CLOSED', 'the DNS client was closed', 'local')
    if (this.#pending.size < MAX_IN_FLIGHT) return null
    return new ConnectError('TOO_MANY', 'too many DNS questions are in flight', 'local')
  }

  #freeId(): number {
    for (;;) {
      const id = this.#random()
      if (!this.#pending.has(id)) return id
    }
  }

  #random(): number {
    if (this.#nextRandom === this.#randoms.length) {
      randomFillSync(this.#randoms)
      this.#nextRandom = 0
    }
    return this.#randoms[this.#nextRandom++]!
  }

  #send(pending: Pending): void {
    const { address, port } = pending.server
    if (pending.socket.state === 'closed') return this.#failWithSocket(pending)
    pending.socket.socket.send(pending.packet, port, address, (error) => {
      if (error === null || error === undefined) return
      const code = (error as NodeJS.ErrnoException).code ?? 'SEND'
      this.#fail(
        pending,
        code,
        `the DNS server ${label(pending.server)} cannot be reached (${code})`,
        'local',
      )
    })
  }

  #socketsFor({ address }: DnsServer): DnsSockets {
    return address.includes(':') ? this.#ipv6 : this.#ipv4
  }

  #failWithSocket(pending: Pending): void {
    this.#fail(pending, 'SOCKET', 'the socket for DNS questions failed', 'local')
  }

  #onAnswer(pending: Pending, bytes: Buffer, overTcp: boolean): void {
    let message: DnsMessage
    try {
      message = decodeMessage(bytes)
    } catch (error) {
      const problem = (error as Error).message
      this.#fail(
        pending,
        'MALFORMED',
        `the answer of ${label(pending.server)} is malformed: ${problem}`,
        'target',
      )
      return
    }
    if (!answersQuestion(message, pending)) {
      if (overTcp)
        this.#fail(pending, 'MALFORMED', `${label(pending.server)} answered another question`, 'target')
      return
    }
    if (message.truncated && !overTcp) return this.#askOverTcp(pending)
    this.#end(pending)
    pending.resolve(message)
  }

  #askOverTcp(pending: Pending): void {
    pending.closeTcp = exchangeOverTcp(pending.server, pending.packet, (answer) => {
      if (!this.#pending.has(pending.id)) return
      if (answer instanceof ConnectError) {
        this.#end(pending)
        pending.reject(answer)
      } else {
        this.#onAnswer(pending, answer, true)
      }
    })
  }

  #onSweep(): void {
    const now = performance.now()
    for (const pending of this.#pending.values()) {
      if (now >= pending.giveUpAtMs) {
        this.#fail(pending, 'TIMEOUT', `no answer from the DNS server ${label(pending.server)}`, 'local')
      } else if (now >= pending.resendAtMs && pending.closeTcp === null) {
        pending.resendAtMs = now + RESEND_EVERY_MS
        this.#send(pending)
      }
    }
  }

  #fail(pending: Pending, code: string, message: string, evidence: 'target' | 'local'): void {
    if (this.#pending.get(pending.id) !== pending) return
    this.#end(pending)
    pending.reject(new ConnectError(code, message, evidence))
  }

  #end(pending: Pending): void {
    this.#pending.delete(pending.id)
    this.#socketsFor(pending.server).giveBack(pending.socket)
    if (pending.abandon !== undefined) pending.abandon.onStop = undefined
    pending.closeTcp?.()
    if (this.#pending.size === 0 && this.#sweep !== null) {
      clearInterval(this.#sweep)
      this.#sweep = null
    }
  }
}

function answersQuestion(message: DnsMessage, pending: Pending): boolean {
  if (message.questionName === '') return true
  return message.questionType === pending.type && message.questionName === pending.name.toLowerCase()
}

function label(server: DnsServer): string {
  return server.port === 53 ? server.address : formatEndpoint(server.address, server.port)
}
