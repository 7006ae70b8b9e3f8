// core/response.ts: an answer with its parts kept apart: header values are not mixed into the data.

export interface Response<Data> {
  readonly data: Data
  /** The version for `ifMatch`, without quotes; empty if the answer has none. */
  readonly resourceVersion: string
  /** Identifies the exchange in the log of the service; empty if the answer has none. */
  readonly requestId: string
  /** The operation that a write created; empty for reads. */
  readonly operationId: string
  readonly statusCode: number
  /** Seconds until it is worth asking again; null if the service did not say. */
  readonly retryAfter: number | null
}

export type Envelope = Omit<Response<unknown>, 'data'>

export function envelopeOf({ status, headers }: globalThis.Response): Envelope {
  return {
    resourceVersion: versionIn(headers.get('ETag') ?? ''),
    requestId: headers.get('X-Request-ID') ?? '',
    operationId: headers.get('X-Operation-ID') ?? '',
    statusCode: status,
    retryAfter: secondsIn(headers.get('Retry-After')),
  }
}

/** A compressing proxy may have weakened the tag; the version in it is the same. */
function versionIn(entityTag: string): string {
  return /^(?:W\/)?"([^"]*)"$/.exec(entityTag)?.[1] ?? ''
}

function secondsIn(retryAfter: string | null): number | null {
  if (retryAfter === null) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter)
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
