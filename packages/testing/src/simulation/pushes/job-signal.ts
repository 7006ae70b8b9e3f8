// simulation/pushes/job-signal.ts: what a job that reports by itself sends.
export interface JobSignal {
  readonly kind: 'success' | 'fail' | 'start' | 'log'
  readonly rid: string
  /** Unique over the whole simulation, and greater than those before it. */
  readonly number: number
}
