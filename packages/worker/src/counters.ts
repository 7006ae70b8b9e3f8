// counters.ts: what a worker has done since it started, for /ready and /metrics.

export class Counters {
  polls = 0
  offered = 0
  granted = 0
  /** Starts that were not granted. */
  notGranted = 0
  running = 0
  finished = 0
  /** Handlers that threw. */
  threw = 0
  /** Executions left by the previous process and reported as interrupted. */
  interrupted = 0
  delivered = 0
  deliveredLate = 0
  /** Results that do not fit their schema. */
  refused = 0
  conflicts = 0
  /** Results of executions that the service no longer knows. */
  dropped = 0
}
