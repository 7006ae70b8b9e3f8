// core/failure.ts: the error for an exchange without a usable answer. The important rule: a write that may
// have been sent is ambiguous, whatever the reason; only one that was definitely not sent is anything else.
import { BodyNotText, BodyTooLarge } from './bounded-body.ts'
import type { Deadline } from './deadline.ts'
import { type ErrorParts, errorClasses, type FailureReason, type PulsewardError } from './errors.ts'

export interface Attempt {
  readonly operation: string
  readonly isMutation: boolean
  /** What is known of the answer, if there is one. */
  readonly answer?: Pick<ErrorParts, 'statusCode' | 'requestId' | 'operationId' | 'retryAfter'>
}

const inWords: Readonly<Record<FailureReason, string>> = {
  cancelled: 'was cancelled',
  timeout: 'got no whole answer in time',
  connectionFailed: 'could not connect',
  connectionLost: 'lost the connection',
  answerCut: 'got an answer that broke off',
  malformedAnswer: 'got an answer that is not what it should be',
  oversizedAnswer: 'got an answer above the ceiling',
  redirect: 'was redirected, which is not followed',
}

const readCategories = {
  cancelled: 'cancelled',
  oversizedAnswer: 'oversizedResponse',
} as const satisfies { readonly [reason in FailureReason]?: string }

export function failure(attempt: Attempt, reason: FailureReason, wasSent = true): PulsewardError {
  const { operation, isMutation, answer } = attempt
  const isAmbiguous = isMutation && wasSent
  const usual = reason in readCategories ? readCategories[reason as keyof typeof readCategories] : 'transport'
  const doubt = isAmbiguous ? '; the write may have happened' : ''
  const category = isAmbiguous ? 'ambiguousMutation' : usual
  return new errorClasses[category](`${operation} ${inWords[reason]}${doubt}`, {
    operation,
    reason,
    ...answer,
  })
}

/** Codes of Node, Deno and Bun for a connection that was never established. Browsers do not tell. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
  'FailedToOpenSocket',
])

/** Whether fetch failed before any part of the request can have been sent. */
export function neverLeft(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } | null }
  return [code, cause?.code].some((one) => {
    if (typeof one !== 'string') return false
    return neverConnected.has(one) || /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(one)
  })
}

/**
 * The reason for an error thrown while reading a body. A finding about the body counts even if the deadline
 * has passed by now; the deadline only explains a body that broke off.
 */
export function reasonOfBody(error: unknown, { isOver }: Deadline): FailureReason {
  if (error instanceof BodyTooLarge) return 'oversizedAnswer'
  return error instanceof BodyNotText ? 'malformedAnswer' : (isOver ?? 'answerCut')
}
