// simulation/oracle/worker-executions.ts: what is known about jobs that workers were granted: as on disk, and
// as it will be when everything handed over is on disk.
import type { StoredExecution, WorkerStatement } from '@pulseward/server/internal/store/execution.ts'

export class Executions {
  readonly #written = new Map<string, StoredExecution>()
  /** Handed over and not on disk yet, in order. */
  readonly #pending = new Map<string, StoredExecution[]>()
  /** The latest states of those that have not ended. */
  readonly #running = new Map<string, StoredExecution>()

  /** Statements of workers, by job and by id of the statement. */
  readonly #said = new Map<string, WorkerStatement>()

  /** A statement of a worker that is on disk. */
  said(executionId: string, id: string): WorkerStatement | undefined {
    return this.#said.get(`${executionId} ${id}`)
  }

  writeStatement(statement: WorkerStatement): void {
    this.#said.set(`${statement.executionId} ${statement.id}`, statement)
  }

  onDisk(id: string): StoredExecution | undefined {
    return this.#written.get(id)
  }

  /** The latest state that the service knows. */
  latest(id: string): StoredExecution | undefined {
    return this.#pending.get(id)?.at(-1) ?? this.#written.get(id)
  }

  has(id: string): boolean {
    return this.latest(id) !== undefined
  }

  isPending(id: string): boolean {
    return this.#pending.has(id)
  }

  running(): Iterable<StoredExecution> {
    return this.#running.values()
  }

  handOver(execution: StoredExecution): void {
    this.#pending.set(execution.id, [...(this.#pending.get(execution.id) ?? []), execution])
    this.#refresh(execution.id)
  }

  write(execution: StoredExecution): void {
    this.#written.set(execution.id, execution)
    this.withdraw(execution)
  }

  withdraw(execution: StoredExecution): void {
    const left = this.#pending.get(execution.id)?.filter((one) => one !== execution) ?? []
    if (left.length === 0) this.#pending.delete(execution.id)
    else this.#pending.set(execution.id, left)
    this.#refresh(execution.id)
  }

  /** Everything that was not on disk is lost with the process. */
  forgetPending(): void {
    const ids = [...this.#pending.keys()]
    this.#pending.clear()
    for (const id of ids) this.#refresh(id)
  }

  #refresh(id: string): void {
    const latest = this.latest(id)
    if (latest === undefined || latest.end !== null) this.#running.delete(id)
    else this.#running.set(id, latest)
  }
}
