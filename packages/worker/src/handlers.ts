// handlers.ts: the handlers of a worker, by job type and version. A bare function is a check; `check`, `recovery` and
// `notification` give a handler its kind, its concurrency, and the types of its parameters and results.
import type { JobKind } from './job-type.ts'
import type { AnyOutcome, CheckOutcome, NotificationOutcome, RecoveryOutcome } from './outcomes.ts'
import type { FromSchema, Schema } from './schema-type.ts'
import { WorkerError } from './worker-error.ts'

/** What to do. */
export interface Job<Parameters = unknown> {
  readonly executionID: string
  readonly monitorID: string
  readonly incarnationUID: string
  readonly jobTypeID: string
  readonly version: string
  readonly kind: JobKind
  /** They fit the parameterSchema of the job type: the service has validated them. */
  readonly parameters: Parameters
  /** The name of the secret in `credential`; empty if there is none. */
  readonly credentialProfile: string
}

/** Why to recover something. Texts are not escaped: escape them for their destination. */
export interface Intervention {
  readonly monitorID: string
  /** The name of the monitor. */
  readonly monitor: string
  readonly actionID: string
  /** Null if no incident is open: one opens only when a recovery did not help. */
  readonly incidentID: string | null
  /** What the check saw, in words. */
  readonly seen: string | null
  readonly at: string
  /** Where to see more; null if the service does not know its public address. */
  readonly link: string | null
}

/** What to tell people. Texts are not escaped: escape them for their destination. */
export interface Notification extends Intervention {
  readonly color: 'red' | 'yellow' | 'green' | 'cyan' | 'gray'
  readonly cause: string
  readonly status: string
  readonly severity: 'critical' | 'warning' | 'info'
  /** Everything in one sentence. */
  readonly summary: string
  readonly since: string | null
  readonly acknowledgedBy: string | null
}

export interface RecoveryJob<Parameters = unknown> extends Job<Parameters> {
  readonly intervention: Intervention
}

export interface NotificationJob<Parameters = unknown> extends Job<Parameters> {
  readonly notification: Notification
}

export interface JobContext {
  /** Aborted at the deadline, when the service withdraws the grant, and when a stopping worker has waited long enough. */
  readonly signal: AbortSignal
  /** The secret of the job's profile; empty if there is none. It is redacted from whatever the handler reports. */
  readonly credential: string
  /** The time until the deadline. */
  remainingMs(): number
}

export type Run<Parameters, Result, JobOf = Job<Parameters>> = (
  job: JobOf,
  context: JobContext,
) => Result | Promise<Result>

export interface Handler {
  readonly kind: JobKind
  /** How many jobs it runs at once; defaults to the worker's `concurrency`. */
  readonly concurrency?: number
  // A method, so that handlers with any parameters fit into one table. The service validates the parameters.
  run(job: Job<never>, context: JobContext): AnyOutcome | Promise<AnyOutcome>
}

/** By `job-type@version`. A bare function is a check. */
export type Handlers = Readonly<
  Record<string, Handler | ((job: Job, context: JobContext) => CheckOutcome | Promise<CheckOutcome>)>
>

/** The spec of a job type, or parts of it. */
interface Described<P extends Schema, R extends Schema> {
  readonly parameterSchema?: P
  readonly resultSchema?: R
  readonly concurrency?: number
}

interface DescribedAction<P extends Schema, R extends Schema, Codes extends readonly string[]>
  extends Described<P, R> {
  readonly rejectionCodes?: Codes
}

export function check<const P extends Schema = true, const R extends Schema = true>(
  described: Described<P, R>,
  run: Run<FromSchema<P>, CheckOutcome<FromSchema<R>>>,
): Handler {
  return handler('check', described, run)
}

export function recovery<
  const P extends Schema = true,
  const R extends Schema = true,
  const Codes extends readonly string[] = readonly string[],
>(
  described: DescribedAction<P, R, Codes>,
  run: Run<FromSchema<P>, RecoveryOutcome<FromSchema<R>, Codes[number]>, RecoveryJob<FromSchema<P>>>,
): Handler {
  return handler('recovery', described, run)
}

export function notification<
  const P extends Schema = true,
  const R extends Schema = true,
  const Codes extends readonly string[] = readonly string[],
>(
  described: DescribedAction<P, R, Codes>,
  run: Run<FromSchema<P>, NotificationOutcome<FromSchema<R>, Codes[number]>, NotificationJob<FromSchema<P>>>,
): Handler {
  return handler('notification', described, run)
}

function handler<Parameters, JobOf>(
  kind: JobKind,
  { concurrency }: { readonly concurrency?: number },
  run: Run<Parameters, AnyOutcome, JobOf>,
): Handler {
  // The service has validated the parameters against the schema that their type comes from.
  const typed = run as Run<never, AnyOutcome, never>
  return concurrency === undefined ? { kind, run: typed } : { kind, concurrency, run: typed }
}

/** A handler as the worker keeps it: its name taken apart, and how many jobs it is running. */
export interface Lane {
  readonly jobTypeID: string
  readonly version: string
  readonly kind: JobKind
  readonly concurrency: number
  readonly run: Run<unknown, AnyOutcome>
  active: number
}

const mostHandlers = 256
const mostConcurrency = 10_000

export function lanesFrom(handlers: Handlers, concurrency: number): Lane[] {
  const lanes = Object.entries(handlers).map(([name, handler]) => laneFrom(name, handler, concurrency))
  if (lanes.length === 0) throw refusal('handlers is empty: name at least one, such as `mail-roundtrip@1`')
  if (lanes.length > mostHandlers) throw refusal(`handlers has more than ${mostHandlers} entries`)
  return lanes
}

function laneFrom(name: string, given: Handlers[string], usual: number): Lane {
  const [, jobTypeID, version] = /^([A-Za-z0-9][A-Za-z0-9._:-]{0,127})@(.{1,128})$/s.exec(name) ?? []
  if (jobTypeID === undefined || version === undefined) {
    throw refusal(
      `the handler ${JSON.stringify(name)} must be named job-type@version, such as mail-roundtrip@1`,
    )
  }
  const { kind, run, concurrency = usual } = typeof given === 'function' ? check({}, given) : given
  if (!['check', 'recovery', 'notification'].includes(kind) || typeof run !== 'function') {
    throw refusal(`the handler ${name} must be a function or come from check, recovery or notification`)
  }
  wholeNumber(`concurrency of the handler ${name}`, concurrency, 1, mostConcurrency)
  return { jobTypeID, version, kind, concurrency, run: run as Lane['run'], active: 0 }
}

export function wholeNumber(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw refusal(`${name} must be a whole number from ${least} to ${most}`)
}

export function refusal(message: string): WorkerError {
  return new WorkerError('invalidOptions', `createWorker: ${message}.`)
}
