// client/progress.ts: shows on stderr how far a long task is. On a terminal: a bar with rate and remaining time, which is
// erased at the end. Elsewhere: a line now and then, so that a log shows that it is still running.
import type { Terminal } from '../terminal.ts'
import { cutToWidth } from './table/display-width.ts'

const barCells = 24
const drawEveryMs = 100
const lineEveryMs = 10_000
/** A shorter measurement says little about the rest. */
const shortestMs = 1_000

interface Phase {
  readonly label: string
  readonly beganMs: number
  readonly doneBefore: number
}

export class Progress implements Disposable {
  readonly #terminal: Terminal
  readonly #nowMs: () => number
  #phase: Phase | null = null
  #shownMs: number
  #isDrawn = false

  constructor(terminal: Terminal, nowMs: () => number = () => performance.now()) {
    this.#terminal = terminal
    this.#nowMs = nowMs
    this.#shownMs = nowMs()
  }

  /** `done` is null if progress is known only at the end. */
  show(label: string, done: number | null, total: number): void {
    const { stderr } = this.#terminal
    const now = this.#nowMs()
    const isNew = this.#phase?.label !== label
    if (isNew || this.#phase === null) this.#phase = { label, beganMs: now, doneBefore: done ?? 0 }
    const isDue = now - this.#shownMs >= (stderr.isTerminal ? drawEveryMs : lineEveryMs)
    const isEdge = stderr.isTerminal && (isNew || done === total)
    if (!isDue && !isEdge) return
    this.#shownMs = now
    const figures = `${done === null ? `${total} items` : `${done}/${total}`}${paceOf(this.#phase, now, done, total)}`
    if (!stderr.isTerminal) {
      stderr.write(`${label} ${figures}\n`)
      return
    }
    const bar = done === null ? '' : `${barOf(total === 0 ? 0 : Math.min(1, done / total))} `
    const line = cutToWidth(`${label} ${bar}${figures}`, (stderr.columns ?? 80) - 1)
    stderr.write(`\r\u001b[K${line}`)
    this.#isDrawn = true
  }

  [Symbol.dispose](): void {
    if (this.#isDrawn) this.#terminal.stderr.write('\r\u001b[K')
    this.#isDrawn = false
  }
}

function barOf(share: number): string {
  const full = Math.floor(share * barCells)
  return '█'.repeat(full) + '░'.repeat(barCells - full)
}

/** Such as `, 8500/s, 1m 27s left`; only the elapsed time if nothing else is known. */
function paceOf({ beganMs, doneBefore }: Phase, now: number, done: number | null, total: number): string {
  const elapsedMs = now - beganMs
  if (elapsedMs < shortestMs) return ''
  if (done === null) return `, for ${inUnits(elapsedMs)}`
  const perSecond = ((done - doneBefore) / elapsedMs) * 1_000
  if (perSecond <= 0) return ''
  const rate = perSecond >= 10 ? Math.round(perSecond) : Number(perSecond.toFixed(1))
  const left = done >= total ? '' : `, ${inUnits(((total - done) / perSecond) * 1_000)} left`
  return `, ${rate}/s${left}`
}

function inUnits(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}
