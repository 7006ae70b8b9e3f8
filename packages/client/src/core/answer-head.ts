// core/answer-head.ts: what is known of an answer before its body is read.
import { envelopeOf } from './response.ts'
import type { Settings } from './settings.ts'

/** Browsers hide the status of a redirect that they did not follow. */
export function isRedirect({ status, type, redirected }: globalThis.Response): boolean {
  return type === 'opaqueredirect' || redirected || (status >= 300 && status < 400)
}

export function isText({ headers }: globalThis.Response): boolean {
  return /^text\/plain\b/i.test(headers.get('Content-Type') ?? '')
}

export function isJson({ headers }: globalThis.Response): boolean {
  return /^application\/json\b/i.test(headers.get('Content-Type') ?? '')
}

/**
 * What an error shows of an answer. The token is removed, in case the service repeats it, so that it does not
 * get into logs.
 */
export function knownOf(settings: Settings, answer: globalThis.Response) {
  const { statusCode, requestId, operationId, retryAfter } = envelopeOf(answer)
  return {
    statusCode,
    requestId: withoutToken(settings, requestId),
    operationId: withoutToken(settings, operationId),
    retryAfter,
  }
}

export function withoutToken({ token }: Settings, text: string): string {
  return token !== null && text.includes(token) ? '' : text
}
