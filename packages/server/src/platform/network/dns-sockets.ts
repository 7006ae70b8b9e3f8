// platform/network/dns-sockets.ts: the datagram sockets for DNS queries of one IP family. To forge an answer
// without seeing the query, an attacker has to guess its port as well as its id. So a query is sent from one
// of two sockets at random, and each of them is replaced by one at another port after some queries or
// seconds. A replaced socket stays open for its pending answers, and the number of such sockets is bounded.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'

/** With more sockets each read returns fewer answers: four cost a fifth more per query. */
const AT_ONCE = 2
const MAX_QUESTIONS = 512
const MAX_AGE_MS = 10_000
/** How many replaced sockets may wait for answers; while there are more, the current ones stay in use. */
const MAX_REPLACED = 64

export interface DnsSocketListener {
  heard(socket: DnsSocket, bytes: Buffer, from: RemoteInfo): void
  /** The socket is closed, and no more answers can arrive on it. */
  failed(socket: DnsSocket): void
}

export class DnsSocket {
  readonly socket: Socket
  readonly openedAtMs: number
  questions = 0
  inFlight = 0
  state: 'in use' | 'replaced' | 'closed' = 'in use'

  constructor(socket: Socket, openedAtMs: number) {
    this.socket = socket
    this.openedAtMs = openedAtMs
  }

  isWorn(nowMs: number): boolean {
    return this.questions >= MAX_QUESTIONS || nowMs - this.openedAtMs >= MAX_AGE_MS
  }

  close(): void {
    if (this.state === 'closed') return
    this.state = 'closed'
    this.socket.close()
  }
}

export class DnsSockets implements Disposable {
  readonly #type: 'udp4' | 'udp6'
  readonly #listener: DnsSocketListener
  readonly #inUse: DnsSocket[] = []
  readonly #replaced = new Set<DnsSocket>()

  constructor(type: 'udp4' | 'udp6', listener: DnsSocketListener) {
    this.#type = type
    this.#listener = listener
  }

  get open(): number {
    return this.#inUse.length + this.#replaced.size
  }

  /** A socket for one query, to be released when that has ended. */
  take(random: number, nowMs: number): DnsSocket {
    while (this.#inUse.length < AT_ONCE) this.#inUse.push(this.#opened(nowMs))
    const index = random % AT_ONCE
    let chosen = this.#inUse[index]!
    if (chosen.state === 'closed' || (chosen.isWorn(nowMs) && this.#replaced.size < MAX_REPLACED)) {
      this.#retire(chosen)
      chosen = this.#opened(nowMs)
      this.#inUse[index] = chosen
    }
    chosen.questions++
    chosen.inFlight++
    return chosen
  }

  giveBack(socket: DnsSocket): void {
    socket.inFlight--
    if (socket.inFlight > 0 || socket.state !== 'replaced') return
    this.#replaced.delete(socket)
    socket.close()
  }

  [Symbol.dispose](): void {
    for (const socket of [...this.#inUse, ...this.#replaced]) socket.close()
  }

  #retire(socket: DnsSocket): void {
    if (socket.state === 'closed') return
    if (socket.inFlight === 0) return socket.close()
    socket.state = 'replaced'
    this.#replaced.add(socket)
  }

  #opened(nowMs: number): DnsSocket {
    const family = this.#type === 'udp4' ? 4 : 6
    const socket = createSocket({
      type: this.#type,
      // Every address is a literal: resolving it here avoids the system's lookup.
      lookup: (address, _options, done) => done(null, address, family),
    })
    const opened = new DnsSocket(socket, nowMs)
    socket.on('message', (bytes, from) => this.#listener.heard(opened, bytes, from))
    socket.on('error', () => {
      this.#replaced.delete(opened)
      opened.close()
      this.#listener.failed(opened)
    })
    // The system picks a free port at random.
    socket.bind(0)
    return opened
  }
}
