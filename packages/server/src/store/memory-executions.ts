// store/memory-executions.ts: jobs of workers outside the service, for the store that a restart forgets.
import type { Instant } from '../deciding/health/health.ts'
import { forgetAt, type StoredExecution } from './execution.ts'

export class MemoryExecutions {
  readonly #kept = new Map<string, StoredExecution>()

  commit(executions: readonly StoredExecution[]): void {
    for (const execution of executions) this.#kept.set(execution.id, execution)
  }

  read(id: string): StoredExecution | null {
    return this.#kept.get(id) ?? null
  }

  open(): StoredExecution[] {
    return [...this.#kept.values()].filter(({ end }) => end === null).sort(byId)
  }

  retain(now: Instant, rows: number): number {
    const old = [...this.#kept.values()].filter((execution) => (forgetAt(execution) ?? now) < now)
    const forgotten = old.slice(0, Math.max(0, rows))
    for (const { id } of forgotten) this.#kept.delete(id)
    return forgotten.length
  }
}

function byId(one: StoredExecution, other: StoredExecution): number {
  return one.id < other.id ? -1 : 1
}
