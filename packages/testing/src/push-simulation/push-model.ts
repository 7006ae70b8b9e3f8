// push-simulation/push-model.ts: the simplest account of what signals and silence mean for one job, without any code
// of the service: when something is expected, how many failures that makes, which runs are open.

export interface ModelTiming {
  /** Milliseconds; null for a job of cron that is expected at every full minute. */
  readonly everyMs: number | null
  readonly graceMs: number
  readonly earlyMs: number
}

const minuteMs = 60_000

export class PushModel {
  readonly timing: ModelTiming
  /** When the next signal is expected; null before the first. */
  dueMs: number | null = null
  /** Failures since the last success. */
  failures = 0
  /** A window was not judged, because the service was down. */
  unknown = 0
  readonly runs = new Set<string>()
  /** The last signal that was acknowledged. */
  acknowledgedMs: number | null = null
  #downs: { readonly fromMs: number; readonly untilMs: number }[] = []

  constructor(timing: ModelTiming) {
    this.timing = timing
  }

  signal(kind: 'success' | 'fail' | 'start' | 'log', rid: string, atMs: number): void {
    this.acknowledgedMs = atMs
    if (kind === 'log') return
    if (kind === 'start') {
      this.runs.add(rid)
      this.dueMs ??= this.#after(atMs)
      return
    }
    this.runs.delete(rid)
    this.failures = kind === 'success' ? 0 : this.failures + 1
    this.dueMs = this.#after(atMs)
  }

  /** Everything that silence means up to this moment. */
  until(atMs: number): void {
    const { everyMs, graceMs, earlyMs } = this.timing
    while (this.dueMs !== null && this.dueMs + graceMs <= atMs) {
      const fromMs = this.dueMs - Math.max(graceMs, everyMs === null ? earlyMs : 0)
      const untilMs = this.dueMs + graceMs
      if (this.#downs.some((down) => down.fromMs < untilMs && down.untilMs >= fromMs)) this.unknown++
      else this.failures++
      this.dueMs += everyMs ?? minuteMs
    }
  }

  /** The service was down and is back. A job that had failed gives one more failure: it is still down. */
  down(fromMs: number, untilMs: number): void {
    this.#downs.push({ fromMs, untilMs })
    if (this.failures > 0) this.failures++
    const { everyMs, graceMs } = this.timing
    if (this.dueMs === null) return
    if (everyMs !== null) this.dueMs = untilMs + everyMs
    else if (this.dueMs + graceMs <= untilMs) {
      // Windows that passed together count once, and say nothing.
      this.unknown++
      while (this.dueMs + graceMs <= untilMs) this.dueMs += minuteMs
    }
  }

  #after(atMs: number): number {
    const { everyMs, earlyMs } = this.timing
    return everyMs === null ? (Math.floor((atMs + earlyMs) / minuteMs) + 1) * minuteMs : atMs + everyMs
  }
}
