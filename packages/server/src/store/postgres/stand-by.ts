// store/postgres/stand-by.ts: waits until a run may take the store over: until the run that has it has ended by itself, or
// has committed nothing for five seconds of this machine's clock. A run that lives commits at least once per second, and
// acts only within four seconds of sending its last commit, so nobody acts any more when it is fenced. Whoever loses the
// race goes on waiting.
import { setTimeout as pause } from 'node:timers/promises'
import type { Standing, StandingView } from '../standing.ts'
import { StoreError } from '../store.ts'
import { type ConnectionOptions, PostgresConnection } from './connection.ts'
import { prepareSchema } from './prepare-schema.ts'
import { ProcessRegister } from './process-register.ts'
import { stopwatch } from './stopwatch.ts'
import { lookEveryMs, type Owner, ownerOf, silentMs, takeOver } from './take-over.ts'

const tellAtEveryLook = 4
const lookWithinMs = 2_000
const connectAgainAfterMs = 500

/** A run that wants the store. */
export interface Claim {
  readonly writing: ConnectionOptions
  readonly run: string
  readonly now: () => number
  /** Rejects if the store is not one for this process. */
  readonly judge: (connection: PostgresConnection) => Promise<void>
}

interface StandByOptions extends Claim {
  readonly standing: Standing
}

interface Seen {
  readonly owner: Owner
  /** How long it has been seen like this, without a gap. */
  readonly forMs: () => number
}

/** Resolves with the connection by which the run has taken the store over. */
export async function standBy(options: StandByOptions): Promise<PostgresConnection> {
  return await new StandBy(options).wait()
}

class StandBy {
  readonly #options: StandByOptions
  #seen: Seen | null = null
  #batchAgeMs = (): number => 0
  #lastView: StandingView | null = null
  /** It was there while another process had the store. */
  #hasWaited = false

  constructor(options: StandByOptions) {
    this.#options = options
  }

  async wait(): Promise<PostgresConnection> {
    const { writing, standing } = this.#options
    for (;;) {
      let connection: PostgresConnection | null = null
      try {
        connection = await PostgresConnection.open(writing)
        await prepareSchema(connection, writing.address.schema)
        await this.#options.judge(connection)
        await this.#waitBy(connection)
        return connection
      } catch (error) {
        if (standing.stopped.aborted) await this.#leave(connection)
        await connection?.end()
        standing.stopped.throwIfAborted()
        if (!this.#goesOn(error)) throw error
        await pause(connectAgainAfterMs)
      }
    }
  }

  /** At the start, whatever is wrong is told to the person who starts it. */
  #goesOn(error: unknown): boolean {
    const { standing } = this.#options
    if (this.#lastView === null || !(error instanceof StoreError) || !error.recovers) return false
    this.#seen = null
    this.#lastView = { ...this.#lastView, batchAgeMs: this.#batchAgeMs(), trouble: error }
    standing.looked(this.#lastView)
    return true
  }

  async #waitBy(connection: PostgresConnection): Promise<void> {
    const { run, now, standing } = this.#options
    const register = registerOver(connection, run, () => standing.card())
    for (let looks = 0; ; looks++) {
      const seen = this.#look(await ownerOf(connection, lookWithinMs))
      // Taken over in a call whose answer was lost.
      if (seen.owner.run === run) return
      const isFree = seen.owner.ended || seen.forMs() >= silentMs
      if (isFree || looks % tellAtEveryLook === 0) await register.exchange()
      if (isFree && this.#mayTake(seen, register)) {
        if (await takeOver(connection, run, seen.owner, now())) return
        this.#seen = null
      } else this.#tell(register)
      await pause(lookEveryMs, undefined, { signal: standing.stopped })
    }
  }

  #look(owner: Owner): Seen {
    const before = this.#seen
    const isSame = before?.owner.run === owner.run && before.owner.batch === owner.batch
    const seen = isSame ? { owner, forMs: before.forMs } : { owner, forMs: stopwatch() }
    this.#seen = seen
    this.#batchAgeMs = seen.forMs
    return seen
  }

  /** False if the fleet files of the active process are others, which would end incidents of monitors that are missing here. */
  #mayTake({ owner }: Seen, register: ProcessRegister): boolean {
    const { standing } = this.#options
    this.#hasWaited ||= !owner.ended
    const isSuccessor = register.active?.place === standing.card().place
    return this.#hasSameFiles(register) || standing.acceptsFiles || isSuccessor || !this.#hasWaited
  }

  #tell(register: ProcessRegister): void {
    const { active } = register
    this.#hasWaited = true
    this.#lastView = {
      active: active === null ? null : { name: active.name, url: active.url },
      batchAgeMs: this.#batchAgeMs(),
      takeovers: register.takeovers() ?? 0,
      hasSameFiles: this.#hasSameFiles(register),
      trouble: null,
    }
    this.#options.standing.looked(this.#lastView)
  }

  #hasSameFiles({ active }: ProcessRegister): boolean {
    return active === null || active.files === this.#options.standing.card().files
  }

  async #leave(connection: PostgresConnection | null): Promise<void> {
    const { run, standing } = this.#options
    if (connection === null) return
    await registerOver(connection, run, () => standing.card())
      .leave()
      .catch(() => undefined)
  }
}

function registerOver(
  connection: PostgresConnection,
  ...rest: [run: string, card: ConstructorParameters<typeof ProcessRegister>[2]]
): ProcessRegister {
  return new ProcessRegister(
    (text, values) => connection.query(text, values, { withinMs: lookWithinMs }),
    ...rest,
  )
}
