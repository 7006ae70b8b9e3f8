// checks/driver.ts: what a check is. A driver is one folder and its name in the registry; its schema, docs, metric
// label, secret fields and contract tests all come from the definition made here. Whatever a target or the network
// does, a defined check answers with an Outcome.
import type { Static, TObject } from 'typebox'
import type { Network } from '../platform/network/network.ts'
import type { HandshakeRun } from '../platform/tls/handshakes.ts'
import type { Observe } from './driver/observation.ts'
import { type Outcome, outcomeOfError } from './driver/outcome.ts'

export { assertion, fact, type Observation, type Observe, observeCertificate } from './driver/observation.ts'

export {
  CheckFailure,
  deadlinePassed,
  type Evidence,
  failure,
  isUnusableConfig,
  noData,
  type Outcome,
  type OutcomeStatus,
  outcomeOfError,
  success,
  successWithin,
  timedOut,
  UnusableConfig,
} from './driver/outcome.ts'

export type Phase = 'resolve' | 'connect' | 'tls' | 'first_byte' | 'total'

/**
 * One run of one check: its deadline, its network, and a place to note phases. It is handed to every step that waits.
 * The step in flight, of which there is never more than one, puts its way to stop into onStop, and the deadline calls
 * it once. A step that begins after the deadline is stopped at once, so that a wait for something that cannot be stopped
 * (a package being loaded) may stand between two steps.
 */
export interface CheckRun extends HandshakeRun {
  readonly network: Network
  readonly timeoutMs: number
  onStop: (() => void) | undefined
  /** Whether the deadline has passed. */
  readonly hasExpired: boolean
  /** Milliseconds since the run began, monotonic. */
  elapsedMs(): number
  /** Notes that a phase has just ended; kept only where a reader asked for phases. */
  mark(phase: Phase): void
  /** Notes what was seen; undefined where no reader asked. Its texts are redacted and cut by the runner. */
  readonly observe: Observe
}

export interface CheckDriver<Schema extends TObject = TObject> {
  readonly summary: string
  readonly config: Schema
  /** Optional packages that it is built on: a fleet that uses the driver is refused where one of them is missing. */
  readonly requires?: readonly string[]
  /** It asks something of the machine that the service runs on which a network target could not. */
  actsHere?(config: Static<Schema>): boolean
  /**
   * Its checks share something that a second thread would not see, such as the pace at which a registry may be asked.
   * Such checks must be few and cheap.
   */
  readonly inOneThread?: true
  /** Display form: never user info, query or fragment. */
  target(config: Static<Schema>): string
  check(config: Static<Schema>, run: CheckRun): Promise<Outcome>
}

/** The given check may throw CheckFailure, ConnectError and UnusableConfig; the one that comes back answers with their outcomes. */
export function defineCheck<Schema extends TObject>(driver: CheckDriver<Schema>): CheckDriver<Schema> {
  return {
    ...driver,
    check: (config, run) => driver.check(config, run).catch((error: unknown) => outcomeOfError(error, run)),
  }
}
