// api/request-turns.ts: how many requests are answered in one turn of the event loop. The loop accepts one connection per
// turn, so answering every request of many busy connections in one turn would keep new connections waiting for seconds.
// Requests beyond the bound wait for the next turns, in which clients are served round-robin. While connections arrive, a
// turn answers only one request, so that a burst of connections is accepted quickly. Requests of a lane of its own do not
// wait for the others of their client, and where they cost little, a turn answers more of them.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { clientKey } from './client-key.ts'

export const requestsPerTurn = 8
/** The part of a turn that is left while connections arrive: one usual request. */
const besideArrival = 1 / requestsPerTurn
/** More than there are connections: only clients that send requests without waiting for answers exceed it. */
export const mostWaiting = 8_192

export interface Lane {
  /** Clients wait in each lane by themselves. */
  readonly name: string
  /** How many of its requests one turn answers. */
  readonly perTurn: number
}

export const usualLane: Lane = { name: '', perTurn: requestsPerTurn }

interface Waiting {
  readonly socket: Socket
  readonly lane: Lane
  readonly answer: () => void
}

export class RequestTurns {
  /** Requests by client; the client that is next comes first. */
  readonly #clients = new Map<string, Waiting[]>()
  readonly #waitingOf = new WeakMap<Socket, number>()
  #waiting = 0
  /** How much of this turn is used: 1 is all of it. */
  #used = 0
  #hasArrival = false
  #nextTurn: NodeJS.Immediate | null = null

  constructor(server: Server) {
    server.on('connection', () => {
      this.#hasArrival = true
      this.#nextTurn ??= setImmediate(() => this.#turn())
    })
  }

  /** Calls back at once if this turn has room, otherwise in a later turn; never for a closed connection. */
  take(socket: Socket, answer: () => void, lane = usualLane): void {
    this.#nextTurn ??= setImmediate(() => this.#turn())
    if (this.#waiting > 0 || !this.#hasRoom) {
      this.#wait({ socket, answer, lane })
      return
    }
    this.#used += 1 / lane.perTurn
    answer()
  }

  get #hasRoom(): boolean {
    return this.#used < (this.#hasArrival ? besideArrival : 1)
  }

  #wait(waiting: Waiting): void {
    const { socket, lane } = waiting
    const before = this.#waitingOf.get(socket) ?? 0
    if (before > 0 && this.#waiting >= mostWaiting) socket.destroy()
    if (socket.destroyed) return
    this.#waitingOf.set(socket, before + 1)
    // A client that half-closed its side is still answered if that end is read only afterwards. Node resumes
    // the socket at the end of the message, so it can be paused only then.
    if (before === 0) process.nextTick(() => this.#isWaiting(socket) && socket.pause())
    this.#waiting++
    const key = clientKey(socket.remoteAddress ?? '') + lane.name
    const others = this.#clients.get(key)
    if (others === undefined) this.#clients.set(key, [waiting])
    else others.push(waiting)
  }

  #turn(): void {
    this.#nextTurn = null
    this.#used = 0
    for (const [key, requests] of this.#clients) {
      if (!this.#hasRoom) break
      this.#clients.delete(key)
      this.#answerNext(requests)
      if (requests.length > 0) this.#clients.set(key, requests)
    }
    this.#hasArrival = false
    if (this.#used > 0) this.#nextTurn ??= setImmediate(() => this.#turn())
  }

  #answerNext(requests: Waiting[]): void {
    const { socket, lane, answer } = requests.shift()!
    this.#waiting--
    const left = this.#waitingOf.get(socket)! - 1
    this.#waitingOf.set(socket, left)
    if (socket.destroyed) return
    this.#used += 1 / lane.perTurn
    if (left === 0) socket.resume()
    answer()
  }

  #isWaiting(socket: Socket): boolean {
    return (this.#waitingOf.get(socket) ?? 0) > 0
  }
}
