// push-simulation/push-model.ts: the simplest account of what signals and silence mean for one job, without any code
// of the service: when something is expected, how many failures that makes, which runs are open. Times are those of the
// wall clock as it is set now.

export interface ModelTiming {
  /** Milliseconds; null for a job of cron that is expected at every full minute. */
  readonly everyMs: number | null
  readonly graceMs: number
  readonly earlyMs: number
  /** How long a run may take; absent: as long as it likes. */
  readonly maxRuntimeMs?: number
}

/** What the silence of a window means, or a run that does not end: nothing, if the service was down meanwhile. */
export type Verdict = 'failure' | 'unknown'

interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

interface Down extends Span {
  readonly kind: 'down' | 'skipped'
}

const minuteMs = 60_000

export class PushModel {
  timing: ModelTiming
  /** When the next signal is expected; null before the first. */
  dueMs: number | null = null
  /** Failures since the last success. */
  failures = 0
  /** A window was not judged, because the service was down. */
  unknown = 0
  /** The last that is known of it is a failure. */
  hasFailed = false
  /** When each open run started, oldest first. */
  readonly runs = new Map<string, number>()
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

  /** What the next process knows of it. */
  stored(): PushModel {
    const { dueMs, failures, unknown, hasFailed, acknowledgedMs, isDisabled, isDueKnown } = this
    const stored = new PushModel(this.timing)
    Object.assign(stored, { dueMs, failures, unknown, hasFailed, acknowledgedMs, isDisabled, isDueKnown })
    for (const [rid, startedMs] of this.runs) stored.runs.set(rid, startedMs)
    return stored
  }

  /** Another job of the same service, which has not reported yet. */
  another(timing: ModelTiming): PushModel {
    const other = new PushModel(timing)
    other.#downs = [...this.#downs]
    other.#stalls = [...this.#stalls]
    return other
  }

  signal(kind: 'success' | 'fail' | 'start' | 'log', rid: string, atMs: number): void {
    this.acknowledgedMs = atMs
    if (kind === 'log') return
    if (kind === 'start') {
      this.runs.delete(rid)
      this.runs.set(rid, atMs)
      this.dueMs ??= this.#after(atMs)
      return
    }
    this.runs.delete(rid)
    this.isDueKnown = true
    this.hasFailed = kind === 'fail'
    if (!this.isDisabled) this.failures = kind === 'success' ? 0 : this.failures + 1
    this.dueMs = this.#after(atMs)
  }

  /** When the silence of the present window is over; null if nothing is expected. */
  get deadlineMs(): number | null {
    if (this.dueMs === null) return null
    return this.#prolonged(this.#beganMs(this.dueMs), this.dueMs + this.timing.graceMs)
  }

  /**
   * The window that is over by then is judged, together with those that passed since; null if none is over. said: the verdict
   * where the tolerance decides.
   */
  pass(atMs: number, toleranceMs: number, said: Verdict): Verdict | null {
    const { deadlineMs, dueMs } = this
    if (this.isDisabled || dueMs === null || deadlineMs === null || deadlineMs > atMs + toleranceMs)
      return null
    const verdict = this.#judge(dueMs, toleranceMs, said)
    this.#passTo(atMs)
    return verdict
  }

  /** The oldest run that has taken too long by then is over; null if there is none. */
  endRun(atMs: number, toleranceMs: number): Verdict | null {
    const { maxRuntimeMs } = this.timing
    if (this.isDisabled || maxRuntimeMs === undefined) return null
    for (const [rid, startedMs] of this.runs) {
      if (this.#prolonged(startedMs, startedMs + maxRuntimeMs) > atMs + toleranceMs) continue
      this.runs.delete(rid)
      const wasDown = this.#downs.some(
        ({ kind, fromMs, untilMs }) => kind === 'down' && fromMs < atMs && untilMs > startedMs,
      )
      if (!wasDown) this.hasFailed = true
      return wasDown ? 'unknown' : 'failure'
    }
    return null
  }

  /**
   * Another process goes on with what was stored. Returns whether it says that it does not know of the window in which nobody
   * could report: `perhaps` if the tolerance decides.
   */
  resume(fromMs: number, untilMs: number, toleranceMs: number): 'unknown' | 'perhaps' | null {
    const { everyMs, graceMs } = this.timing
    const { dueMs } = this
    this.#downs = [{ kind: 'down', fromMs, untilMs }]
    // What the last process stored with a clock that was ahead counts as now.
    for (const [rid, startedMs] of this.runs) this.runs.set(rid, Math.min(startedMs, untilMs))
    this.isDueKnown &&= !this.isDisabled
    if (this.isDisabled || dueMs === null) return null
    const againMs = this.#after(untilMs)
    this.dueMs = everyMs === null ? Math.min(dueMs, againMs) : againMs
    // Which time of the day is the next may be decided a moment later.
    if (everyMs === null && againMs < dueMs)
      this.isDueKnown &&= this.#after(untilMs + toleranceMs) === againMs
    if (everyMs === null || this.hasFailed) return null
    const wasOpen = (byMs: number) => this.#beganMs(dueMs) < untilMs + byMs && fromMs < dueMs + graceMs + byMs
    if (wasOpen(-toleranceMs)) return 'unknown'
    return wasOpen(toleranceMs) ? 'perhaps' : null
  }

  /** The job is described in another way: it waits anew. */
  change(timing: ModelTiming, nowMs: number): void {
    this.timing = timing
    if (this.isDisabled) this.isDueKnown = false
    else if (this.dueMs !== null) this.dueMs = this.#after(nowMs)
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

  /** The wall clock was set, and the windows that were skipped are judged at once. */
  clockSet(stepMs: number, nowMs: number): void {
    this.moveClock(stepMs, nowMs)
    if (stepMs > 0 && this.timing.everyMs === null) this.#skipTo(nowMs)
  }

  /** Durations go on; times of the day follow the clock. */
  moveClock(stepMs: number, nowMs: number): void {
    const moved = <One extends Span>(one: One): One => ({
      ...one,
      fromMs: one.fromMs + stepMs,
      untilMs: one.untilMs + stepMs,
    })
    this.#downs = this.#downs.map(moved)
    this.#stalls = this.#stalls.map(moved)
    for (const [rid, startedMs] of this.runs) this.runs.set(rid, startedMs + stepMs)
    if (this.acknowledgedMs !== null) this.acknowledgedMs += stepMs
    if (stepMs > 0) this.#downs.push({ kind: 'skipped', fromMs: nowMs - stepMs, untilMs: nowMs })
    if (this.dueMs === null) return
    if (this.timing.everyMs !== null) this.dueMs += stepMs
    // Times come again that had come already.
    else if (stepMs < 0) this.dueMs = Math.min(this.dueMs, this.#after(nowMs))
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

  #judge(dueMs: number, toleranceMs = 0, said?: Verdict): Verdict {
    const [fromMs, untilMs] = [this.#beganMs(dueMs), dueMs + this.timing.graceMs]
    const wasDown = (byMs: number) =>
      this.#downs.some(
        ({ kind, ...down }) =>
          (kind === 'down' || this.timing.everyMs === null) &&
          down.fromMs < untilMs + byMs &&
          down.untilMs >= fromMs - byMs,
      )
    const isClear = said === undefined || wasDown(-toleranceMs) === wasDown(toleranceMs)
    if (isClear ? wasDown(0) : said === 'unknown') {
      this.unknown++
      return 'unknown'
    }
    this.failures++
    this.hasFailed = true
    return 'failure'
  }

  #prolonged(fromMs: number, deadlineMs: number): number {
    let prolongedMs = deadlineMs
    for (const stall of this.#stalls)
      if (stall.fromMs < prolongedMs && stall.untilMs > fromMs)
        prolongedMs += stall.untilMs - Math.max(stall.fromMs, fromMs)
    return prolongedMs
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
