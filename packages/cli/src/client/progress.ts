// client/progress.ts: a bar on stderr for what takes a while. Only on a terminal: in a log it would be noise. It leaves
// nothing behind when it ends.
import type { Terminal } from '../terminal.ts'
import { cutToWidth } from './table/display-width.ts'

const barCells = 24

export class Progress implements Disposable {
  readonly #terminal: Terminal
  #isDrawn = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  get isShown(): boolean {
    return this.#terminal.stderr.isTerminal
  }

  show(label: string, done: number, total: number): void {
    if (!this.isShown) return
    const share = total === 0 ? 0 : Math.min(1, done / total)
    const full = Math.floor(share * barCells)
    const bar = '█'.repeat(full) + '░'.repeat(barCells - full)
    const line = `${label} ${bar} ${done}/${total}`
    this.#terminal.stderr.write(`\r\u001b[K${cutToWidth(line, (this.#terminal.stderr.columns ?? 80) - 1)}`)
    this.#isDrawn = true
  }

  [Symbol.dispose](): void {
    if (this.#isDrawn) this.#terminal.stderr.write('\r\u001b[K')
    this.#isDrawn = false
  }
}
