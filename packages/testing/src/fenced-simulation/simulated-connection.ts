// fenced-simulation/simulated-connection.ts: takes the place of the connection to PostgreSQL: the same promises, errors and
// limits of time, over the simulated network to the simulated database.
import {
  type ConnectionOptions,
  PostgresConnection,
} from '@pulseward/server/internal/store/postgres/connection.ts'
import { postgresError } from '@pulseward/server/internal/store/postgres/postgres-errors.ts'
import type { Session, SimulatedDatabase } from './simulated-database.ts'
import type { SimulatedNetwork } from './simulated-network.ts'
import { currentProcess, type SimulatedProcess } from './simulated-time.ts'

const connectWithinMs = 5_000
const defaultWithinMs = 60_000

export interface Way {
  readonly process: SimulatedProcess
  readonly network: SimulatedNetwork
  readonly database: SimulatedDatabase
}

class SimulatedConnection {
  readonly unreplicated = 0
  readonly #way: Way
  readonly #session: Session
  #lost: Error | null = null
  #failed: (error: Error) => void = () => {}

  private constructor(way: Way, name: string) {
    this.#way = way
    this.#session = {
      name,
      isOpen: true,
      closed: () => this.#arrive(() => this.#lose(new Error('Connection terminated unexpectedly'))),
    }
  }

  static async open(way: Way, { name }: ConnectionOptions): Promise<SimulatedConnection> {
    const connection = new SimulatedConnection(way, name)
    const { database } = way
    await connection.#exchange(connectWithinMs, (answer) => {
      if (database.isDown) return answer(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
      database.open(connection.#session)
      answer([])
    })
    return connection
  }

  get isLost(): boolean {
    return this.#lost !== null
  }

  async query(
    text: string,
    values: readonly unknown[] = [],
    { withinMs = defaultWithinMs }: { withinMs?: number } = {},
  ): Promise<unknown> {
    return await this.#exchange(withinMs, (answer) => {
      if (this.#session.isOpen) this.#way.database.query(this.#session, text, values, answer)
    })
  }

  destroy(): void {
    this.#lose(new Error('Connection terminated'))
    this.#way.network.send('requests', () => this.#way.database.close(this.#session))
  }

  async end(): Promise<void> {
    this.destroy()
  }

  /** A request and its answer, one at a time as the callers send them. */
  async #exchange(withinMs: number, ask: (answer: (rows: unknown) => void) => void): Promise<unknown> {
    if (this.#lost !== null) throw postgresError(this.#lost)
    const { network } = this.#way
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#failed = reject
    const giveUp = setTimeout(() => {
      this.#lose(new Error('timeout'))
      this.destroy()
    }, withinMs)
    network.send('requests', () =>
      ask((rows) => this.#arrive(() => (rows instanceof Error ? reject(rows) : resolve(rows)))),
    )
    try {
      return await promise
    } catch (error) {
      throw postgresError(error)
    } finally {
      clearTimeout(giveUp)
    }
  }

  #arrive(handle: () => void): void {
    const { network, process } = this.#way
    network.send('answers', () => process.arrive(() => this.#lost === null && handle()))
  }

  #lose(error: Error): void {
    this.#lost ??= error
    this.#failed(this.#lost)
  }
}

/** Connections of simulated processes lead to the simulated database, until it is disposed. */
export function simulateConnections(wayOf: (process: SimulatedProcess) => Way): Disposable {
  const { open } = PostgresConnection
  const simulated = (options: ConnectionOptions) => SimulatedConnection.open(wayOf(currentProcess()), options)
  PostgresConnection.open = simulated as unknown as typeof open
  return {
    [Symbol.dispose]() {
      PostgresConnection.open = open
    },
  }
}
