// checks/http/direct-visit.ts: the common check, plain http without detours, from its connection to its answer: one
// object, one promise, callbacks in between. Half of what a large fleet costs is spent here; visit.ts does the same for
// everything else, at leisure.
import type { Socket } from 'node:net'
import { ConnectError } from '../../platform/network/network.ts'
import { type Attempt, Problem, STOPPED } from './attempt.ts'
import type { HttpConfig } from './config.ts'
import { Exchange } from './exchange.ts'
import { type Hop, hostOf, portOf } from './hop.ts'
import type { BodyWanted, Response } from './response.ts'
import { ResponseReader } from './response-reader.ts'

export interface DirectQuestion {
  readonly config: HttpConfig
  readonly hop: Hop
  readonly request: string
  readonly bodyWanted: BodyWanted
  readonly maxBodyBytes: number
}

export function visitDirectly(question: DirectQuestion, attempt: Attempt): Promise<Response | Problem> {
  return new Promise((resolve, reject) => new DirectVisit(question, attempt, resolve, reject).start())
}

class DirectVisit {
  readonly #question: DirectQuestion
  readonly #attempt: Attempt
  readonly #resolve: (answer: Response | Problem) => void
  readonly #reject: (error: unknown) => void
  #exchange: Exchange | null = null

  constructor(
    question: DirectQuestion,
    attempt: Attempt,
    resolve: (answer: Response | Problem) => void,
    reject: (error: unknown) => void,
  ) {
    this.#question = question
    this.#attempt = attempt
    this.#resolve = resolve
    this.#reject = reject
  }

  start(): void {
    const { config, hop } = this.#question
    this.#attempt.awaits('no connection', '')
    this.#attempt.run.network.dial(
      {
        host: hostOf(hop.url),
        port: portOf(hop.url),
        family: config.family ?? 'any',
        onBytes: (bytes) => this.#exchange?.take(bytes),
      },
      this.#attempt,
      (socket) => this.#connected(socket),
      (error) => this.#failed(error),
    )
  }

  #connected(socket: Socket): void {
    const attempt = this.#attempt
    const { hop, request, bodyWanted, maxBodyBytes } = this.#question
    attempt.onStop = undefined
    attempt.run.mark('connect')
    if (attempt.expired) {
      // The deadline passed in the very turn in which the connection came about.
      socket.destroy()
      this.#resolve(STOPPED)
      return
    }
    attempt.awaits('no response', 'connected, request sent')
    const reader = new ResponseReader(hop.method, bodyWanted, maxBodyBytes)
    this.#exchange = new Exchange(reader, attempt, (problem) => {
      socket.destroy()
      this.#resolve(problem ?? reader)
    })
    this.#exchange.begin(socket, request)
  }

  #failed(error: unknown): void {
    if (error instanceof ConnectError) this.#resolve(connectProblem(error, this.#attempt))
    else this.#reject(error)
  }
}

/** The network knows best how far it came: "no answer from the resolver for …", "no connection to …". */
export function connectProblem(error: ConnectError, attempt: Attempt): Problem {
  if (attempt.expired) attempt.awaits(error.message, '')
  attempt.crowded = error.code === 'CROWDED'
  return new Problem(error.message, error.evidence)
}
