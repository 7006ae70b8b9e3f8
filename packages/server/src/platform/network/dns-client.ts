// platform/network/dns-client.ts: questions to DNS servers over one shared datagram socket per family. An answer
// counts only when it comes from the server that was asked, with the random id and the question that were sent;
// everything else is dropped. A lost datagram is sent again every second, a truncated answer is asked for again
// over TCP. Nothing here is cached; memory is bounded by the number of questions under way.
import { randomFillSync } from 'node:crypto'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { type DnsMessage, decodeMessage, encodeQuery } from './dns-message.ts'
import type { DnsServer } from './dns-server.ts'
import { exchangeOverTcp } from './dns-tcp.ts'
import { formatEndpoint } from './ip-address.ts'
import { type Abandon, ConnectError } from './network.ts'

const RESEND_EVERY_MS = 1_000
const SWEEP_EVERY_MS = 50
/** Half of the ids: a random pick then finds a free one at once and stays hard to guess. */
const MAX_UNDER_WAY = 32_768

interface Pending {
  readonly id: number
  readonly server: DnsServer
  readonly name: string
  readonly type: number
  readonly packet: Buffer
  readonly resolve: (message: DnsMessage) => void
  readonly reject: (error: ConnectError) => void
  readonly abandon: Abandon | undefined
  resendAtMs: number
  readonly giveUpAtMs: number
  /** Set while the answer is being asked for over TCP. */
  closeTcp: (() => void) | null
}

export class DnsClient implements Disposable {
  readonly #pending = new Map<number, Pending>()
  readonly #ids = new Uint16Array(512)
  #nextId = 512
  #ipv4: Socket | null = null
  #ipv6: Socket | null = null
  #sweep: NodeJS.Timeout | null = null
  #closed = false

  get underWay(): number {
    return this.#pending.size
  }

  /** An answer of any rcode; rejects with ConnectError. giveUpAfterMs may be Infinity where abandon is given. */
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
        // The answer's question comes back without a trailing dot and in lower case.
        name: name.endsWith('.') && name.length > 1 ? name.slice(0, -1) : name,
        type,
        packet,
        resolve,
        reject,
        abandon,
        resendAtMs: now + RESEND_EVERY_MS,
        giveUpAtMs: now + giveUpAfterMs,
        closeTcp: null,
      }
      this.#pending.set(id, pending)
      if (abandon !== undefined) {
        abandon.onStop = () =>
          this.#fail(pending, 'ABORTED', `no answer from the DNS server ${label(server)}`, 'local')
      }
      this.#send(pending)
      this.#sweep ??= setInterval(() => this.#onSweep(), SWEEP_EVERY_MS)
    })
  }

  [Symbol.dispose](): void {
    this.#closed = true
    for (const pending of this.#pending.values()) {
      this.#fail(pending, 'CLOSED', 'the DNS client was closed', 'local')
    }
    this.#ipv4?.close()
    this.#ipv6?.close()
    this.#ipv4 = null
    this.#ipv6 = null
  }

  #problemBefore(): ConnectError | null {
    if (this.#closed) return new ConnectError('CLOSED', 'the DNS client was closed', 'local')
    if (this.#pending.size < MAX_UNDER_WAY) return null
    return new ConnectError('TOO_MANY', 'too many DNS questions are under way', 'local')
  }

  #freeId(): number {
    for (;;) {
      if (this.#nextId === this.#ids.length) {
        randomFillSync(this.#ids)
        this.#nextId = 0
      }
      const id = this.#ids[this.#nextId++]!
      if (!this.#pending.has(id)) return id
    }
  }

  #send(pending: Pending): void {
    const { address, port } = pending.server
    this.#socketFor(address).send(pending.packet, port, address, (error) => {
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

  #socketFor(address: string): Socket {
    if (address.includes(':')) {
      this.#ipv6 ??= this.#open('udp6')
      return this.#ipv6
    }
    this.#ipv4 ??= this.#open('udp4')
    return this.#ipv4
  }

  #open(type: 'udp4' | 'udp6'): Socket {
    const family = type === 'udp4' ? 4 : 6
    const socket = createSocket({
      type,
      // Every address is a literal: answering at once spares a trip through the system's lookup.
      lookup: (address, _options, done) => done(null, address, family),
    })
    socket.on('message', (bytes, from) => this.#onDatagram(bytes, from))
    socket.on('error', () => this.#onSocketError(socket))
    return socket
  }

  #onSocketError(socket: Socket): void {
    const failedIpv6 = socket === this.#ipv6
    if (failedIpv6) this.#ipv6 = null
    else this.#ipv4 = null
    socket.close()
    for (const pending of this.#pending.values()) {
      if (pending.server.address.includes(':') !== failedIpv6) continue
      this.#fail(pending, 'SOCKET', 'the socket for DNS questions failed', 'local')
    }
  }

  #onDatagram(bytes: Buffer, from: RemoteInfo): void {
    if (bytes.length < 2) return
    const pending = this.#pending.get(bytes.readUInt16BE(0))
    if (pending === undefined || pending.closeTcp !== null) return
    if (from.address !== pending.server.address || from.port !== pending.server.port) return
    this.#onAnswer(pending, bytes, false)
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
