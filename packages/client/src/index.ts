// index.ts: the entry point of the client library. Needs nothing but standard fetch, web streams, URL and AbortSignal.
export { encodedJson } from './core/encoded-json.ts'
export {
  AmbiguousMutationError,
  AuthenticationError,
  CancelledError,
  ConflictError,
  ExpiredOperationError,
  type FailureReason,
  InvalidInputError,
  NotFoundError,
  OversizedResponseError,
  PulsewardError,
  TransportError,
  UnavailableError,
  UnavailableFeatureError,
} from './core/errors.ts'
export type { CallOptions, ListMethod, Method } from './core/method.ts'
export type { FieldError, Problem } from './core/problem.ts'
export type { Response } from './core/response.ts'
export type { ClientOptions, Fetch } from './core/settings.ts'
export { type Client, createClient } from './create-client.ts'
export type { ErrorCategory } from './generated/figures.ts'
export type { V1Methods } from './generated/v1-operations.ts'
export type * as v1 from './generated/v1-types.ts'
export type { V2Methods } from './generated/v2-operations.ts'
export type * as v2 from './generated/v2-types.ts'
export type { MetricsWriter, NodeWriter, StreamedMetrics } from './stream-metrics.ts'
