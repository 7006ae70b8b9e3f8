// store/memory-executions.ts: jobs of external workers, of the store in memory.
import type { Instant } from '../deciding/health/health.ts'
import { forgetAt, type StoredExecution, type WorkerStatement } from './execution.ts'

export class MemoryExecutions {
  readonly #kept = new Map<string, StoredExecution>()
  /** By execution id, then by statement id. */
  readonly #statements = new Map<string, Map<string, WorkerStatement>>()

  write(executions: readonly StoredExecution[]): void {
    for (const execution of executions) this.#kept.set(execution.id, execution)
  }

  writeStatements(statements: readonly WorkerStatement[]): void {
    for (const statement of statements) {
      const { executionId, id } = statement
      const said = this.#statements.get(executionId) ?? new Map<string, WorkerStatement>()
      this.#statements.set(executionId, said.set(id, statement))
    }
  }

  read(id: string): StoredExecution | null {
    return this.#kept.get(id) ?? null
  }

  readAll(ids: readonly string[]): StoredExecution[] {
    return ids.flatMap((id) => this.#kept.get(id) ?? [])
  }

  statements(executionId: string): WorkerStatement[] {
    return [...(this.#statements.get(executionId)?.values() ?? [])].sort(byId)
  }

  open(): StoredExecution[] {
    return [...this.#kept.values()].filter(({ end }) => end === null).sort(byId)
  }

  retain(now: Instant, rows: number): number {
    const old = [...this.#kept.values()].filter((execution) => (forgetAt(execution) ?? now) < now)
    const forgotten = old.slice(0, Math.max(0, rows))
    for (const { id } of forgotten) {
      this.#kept.delete(id)
      this.#statements.delete(id)
    }
    return forgotten.length
  }
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1
}
