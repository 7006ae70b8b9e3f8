// push-simulation/push-model.ts: the simplest account of what signals and silence mean for one job, without any code
// of the service: when something is expected, how many failures that makes, which runs are open. Times are those of the
// wall clock as it is set now.

export interface ModelTiming {
  /** Milliseconds; null for a job of cron that is expected at every full minute. */
  readonly everyMs: number | null
  readonly graceMs: number
  readonly earlyMs: number
}

interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

interface Down extends Span {
  readonly kind: 'down' | 'skipped'
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
  /** Nobody looks at it: what comes is recorded, and silence means nothing. */
  isDisabled = false
  /** False after a restart while nobody looked at it, until its next signal: what it waits for is left open. */
  isDueKnown = true
  /** The service was off, or its clock was set forward, which says nothing of times of the day alone. */
  #downs: Down[] = []
  /** The service ran, but took no signals. */
  #stalls: Span[] = []

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
    this.isDueKnown = true
    if (!this.isDisabled) this.failures = kind === 'success' ? 0 : this.failures + 1
    this.dueMs = this.#after(atMs)
  }

  /** When the silence of the present window is over; null if nothing is expected. */
  get deadlineMs(): number | null {
    if (this.dueMs === null) return null
    const { graceMs } = this.timing
    const fromMs = this.#beganMs(this.dueMs)
    let deadlineMs = this.dueMs + graceMs
    for (const stall of this.#stalls)
      if (stall.fromMs < deadlineMs && stall.untilMs > fromMs)
        deadlineMs += stall.untilMs - Math.max(stall.fromMs, fromMs)
    return deadlineMs
  }

  /** Everything that silence means up to this moment. */
  until(atMs: number): void {
    for (;;) {
      const { deadlineMs, dueMs } = this
      if (this.isDisabled || dueMs === null || deadlineMs === null || deadlineMs > atMs) return
      this.#judge(dueMs)
      this.#passTo(deadlineMs)
    }
  }

  /** The service was down and is back. A job that had failed gives one more failure: it is still down. */
  down(fromMs: number, untilMs: number): void {
    // The next process knows nothing of what was before.
    this.#downs = [{ kind: 'down', fromMs, untilMs }]
    this.#stalls = []
    if (this.isDisabled) {
      this.isDueKnown = false
      return
    }
    if (this.failures > 0) this.failures++
    if (this.dueMs === null) return
    const { everyMs } = this.timing
    if (everyMs !== null) this.dueMs = untilMs + everyMs
    else this.#skipTo(untilMs)
  }

  /** For as long, the service took no signals and judged none. */
  stalled(fromMs: number, untilMs: number): void {
    this.#stalls.push({ fromMs, untilMs })
  }

  /** The wall clock was set. Durations go on; times of the day follow it. */
  clockSet(stepMs: number, nowMs: number): void {
    const moved = <One extends Span>(one: One): One => ({
      ...one,
      fromMs: one.fromMs + stepMs,
      untilMs: one.untilMs + stepMs,
    })
    this.#downs = this.#downs.map(moved)
    this.#stalls = this.#stalls.map(moved)
    if (this.acknowledgedMs !== null) this.acknowledgedMs += stepMs
    if (stepMs > 0) this.#downs.push({ kind: 'skipped', fromMs: nowMs - stepMs, untilMs: nowMs })
    if (this.dueMs === null) return
    if (this.timing.everyMs !== null) this.dueMs += stepMs
    else if (stepMs > 0) this.#skipTo(nowMs)
    // Times come again that had come already.
    else this.dueMs = Math.min(this.dueMs, this.#after(nowMs))
  }

  disable(): void {
    this.isDisabled = true
    this.failures = 0
  }

  /** What was due meanwhile is not missed. */
  enable(nowMs: number): void {
    this.isDisabled = false
    if (this.dueMs !== null && this.dueMs <= nowMs) this.dueMs = this.#after(nowMs)
  }

  /** Windows that passed together count once. */
  #skipTo(nowMs: number): void {
    const { deadlineMs, dueMs } = this
    if (this.isDisabled || dueMs === null || deadlineMs === null || deadlineMs > nowMs) return
    this.#judge(dueMs)
    this.#passTo(nowMs)
  }

  #judge(dueMs: number): void {
    const [fromMs, untilMs] = [this.#beganMs(dueMs), dueMs + this.timing.graceMs]
    const saysNothing = ({ kind, ...down }: Down) =>
      (kind === 'down' || this.timing.everyMs === null) && down.fromMs < untilMs && down.untilMs >= fromMs
    if (this.#downs.some(saysNothing)) this.unknown++
    else this.failures++
  }

  /** The first window whose grace is not over then. */
  #passTo(atMs: number): void {
    const { everyMs, graceMs } = this.timing
    do this.dueMs! += everyMs ?? minuteMs
    while (this.dueMs! + graceMs <= atMs)
  }

  #beganMs(dueMs: number): number {
    const { everyMs, graceMs, earlyMs } = this.timing
    return dueMs - Math.max(graceMs, everyMs === null ? earlyMs : 0)
  }

  #after(atMs: number): number {
    const { everyMs, earlyMs } = this.timing
    return everyMs === null ? (Math.floor((atMs + earlyMs) / minuteMs) + 1) * minuteMs : atMs + everyMs
  }
}
