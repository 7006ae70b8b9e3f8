// index.ts: the entry point of the worker library. Needs only Node.js; journal and outbox are an SQLite file.
export { createWorker, type Worker } from './create-worker.ts'
export type { CredentialsOption, Secret } from './credentials.ts'
export {
  check,
  type Handler,
  type Handlers,
  type Intervention,
  type Job,
  type JobContext,
  type Notification,
  type NotificationJob,
  notification,
  type RecoveryJob,
  type Run,
  recovery,
} from './handlers.ts'
export type { WorkerStatus } from './health.ts'
export { type JobKind, jobType } from './job-type.ts'
export type { LogEntry, LogLevel, LogOption } from './log.ts'
export type { WorkerOptions } from './options.ts'
export {
  type AnyOutcome,
  accepted,
  type CheckOutcome,
  completed,
  delivered,
  type Findings,
  failure,
  type NotificationOutcome,
  noData,
  type RecoveryOutcome,
  rejected,
  success,
  unknown,
} from './outcomes.ts'
export type { FromSchema, Schema } from './schema-type.ts'
export { WorkerError, type WorkerErrorCode } from './worker-error.ts'
