// Made by `npm run generate` from packages/contract/src/v2. Do not edit.

export const defaultTimeoutMs = 10000
export const defaultMaxResponseBytes = 67108864
export const maxListLimit = 500

/** What an edition without v2 answers with. */
export const notServedCode = 'api_version_not_served'

/** States that an operation leaves by itself. */
export const runningOperationStates: readonly string[] = ['validating', 'applying']

export type ErrorCategory =
  | 'conflict'
  | 'notFound'
  | 'unavailableFeature'
  | 'expiredOperation'
  | 'authentication'
  | 'invalidInput'
  | 'oversizedResponse'
  | 'ambiguousMutation'
  | 'unavailable'
  | 'transport'
  | 'cancelled'

export const categoryByStatus: Readonly<Record<number, ErrorCategory>> = {
  400: 'invalidInput',
  401: 'authentication',
  403: 'authentication',
  404: 'notFound',
  405: 'invalidInput',
  408: 'invalidInput',
  409: 'conflict',
  410: 'expiredOperation',
  412: 'conflict',
  413: 'invalidInput',
  415: 'invalidInput',
  421: 'invalidInput',
  422: 'invalidInput',
  428: 'invalidInput',
  429: 'unavailable',
  431: 'invalidInput',
  501: 'unavailableFeature',
}
