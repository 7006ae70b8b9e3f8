// moving/shown-progress.ts: shows on a terminal how many rows were handled; elsewhere nothing.
import { Progress } from '../client/progress.ts'
import type { Terminal } from '../terminal.ts'

export class RowProgress implements Disposable {
  readonly #progress: Progress | null

  constructor(terminal: Terminal) {
    this.#progress = terminal.stderr.isTerminal ? new Progress(terminal) : null
  }

  show(label: string, rows: number, total: number | null): void {
    this.#progress?.show(label, total === null ? null : rows, total ?? rows)
  }

  [Symbol.dispose](): void {
    this.#progress?.[Symbol.dispose]()
  }
}
