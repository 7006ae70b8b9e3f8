// api/request-turns.ts: how many requests are answered in one turn of the event loop. The loop accepts one connection per
// turn, so answering every request of many busy connections in one turn would keep new connections waiting for seconds.
// Requests beyond the bound wait for the next turns, in which clients are served round-robin. While connections arrive, a
// turn answers only one request, so that a burst of connections is accepted quickly. Requests of a lane of its own do not
// wait for the others of their client.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { clientKey } from './client-key.ts'

export const requestsPerTurn = 8
const requestsBesideArrival = 1
/** More than there are connections: only clients that send requests without waiting for answers exceed it. */
export const mostWaiting = 8_192

interface Waiting {
  readonly socket: Socket
  readonly answer: () => void
}

export class RequestTurns {
  /** Requests by client; the client that is next comes first. */
  readonly #clients = new Map<string, Waiting[]>()
  readonly #waitingOf = new WeakMap<Socket, number>()
  #waiting = 0
  #answered = 0
  #hasArrival = false
  #nextTurn: NodeJS.Immediate | null = null

  constructor(server: Server) {
    server.on('connection', () => {
      this.#hasArrival = true
      this.#nextTurn ??= setImmediate(() => this.#turn())
    })
  }

  /** Calls back at once if this turn has room, otherwise in a later turn; never for a closed connection. */
  take(socket: Socket, answer: () => void, lane = ''): void {
    this.#nextTurn ??= setImmediate(() => this.#turn())
    if (this.#waiting > 0 || !this.#hasRoom) {
      this.#wait(socket, answer, lane)
      return
    }
    this.#answered++
    answer()
  }

  get #hasRoom(): boolean {
    return this.#answered < (this.#hasArrival ? requestsBesideArrival : requestsPerTurn)
  }

  #wait(socket: Socket, answer: () => void, lane: string): void {
    const before = this.#waitingOf.get(socket) ?? 0
    if (before > 0 && this.#waiting >= mostWaiting) socket.destroy()
    if (socket.destroyed) return
    this.#waitingOf.set(socket, before + 1)
    // A client that half-closed its side is still answered if that end is read only afterwards. Node resumes
    // the socket at the end of the message, so it can be paused only then.
    if (before === 0) process.nextTick(() => this.#isWaiting(socket) && socket.pause())
    this.#waiting++
    const key = clientKey(socket.remoteAddress ?? '') + lane
    const others = this.#clients.get(key)
    if (others === undefined) this.#clients.set(key, [{ socket, answer }])
    else others.push({ socket, answer })
  }

  #turn(): void {
    this.#nextTurn = null
    this.#answered = 0
    for (const [key, requests] of this.#clients) {
      if (!this.#hasRoom) break
      this.#clients.delete(key)
      this.#answerNext(requests)
      if (requests.length > 0) this.#clients.set(key, requests)
    }
    this.#hasArrival = false
    if (this.#answered > 0) this.#nextTurn ??= setImmediate(() => this.#turn())
  }

  #answerNext(requests: Waiting[]): void {
    const { socket, answer } = requests.shift()!
    this.#waiting--
    const left = this.#waitingOf.get(socket)! - 1
    this.#waitingOf.set(socket, left)
    if (socket.destroyed) return
    this.#answered++
    if (left === 0) socket.resume()
    answer()
  }

  #isWaiting(socket: Socket): boolean {
    return (this.#waitingOf.get(socket) ?? 0) > 0
  }
}
