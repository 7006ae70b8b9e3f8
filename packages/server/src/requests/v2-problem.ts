// requests/v2-problem.ts: errors of v2, with their own codes and members. They are converted to HTTP in the
// same place as all errors of the API. No message repeats what may be a secret.
import { type CatalogueEntry, v2 } from '@pulseward/contract'
import { ProblemError, problemType } from './problem.ts'

export interface V2FieldError {
  /** A JSON pointer into the body, or the name of a parameter or a header. */
  readonly field: string
  readonly reason: v2.FieldReason
  /** The rest of a sentence about the field: `must be text, not a number`. */
  readonly message: string
}

export interface V2ProblemOptions {
  readonly errors?: readonly V2FieldError[]
  readonly retryAfterSeconds?: number | null
  /** The operation that the write created in spite of the error. */
  readonly operationID?: string | null
  readonly cause?: unknown
}

export class V2Problem extends ProblemError {
  readonly code: v2.ProblemCode
  readonly errors: readonly V2FieldError[]
  readonly retryAfterSeconds: number | null
  readonly operationID: string | null
  override readonly headers: Readonly<Record<string, string>>

  constructor(code: v2.ProblemCode, detail: string, options: V2ProblemOptions = {}) {
    super(detail, { cause: options.cause })
    this.name = 'V2Problem'
    this.code = code
    this.errors = options.errors ?? []
    this.retryAfterSeconds = options.retryAfterSeconds ?? defaultRetryAfter(code)
    this.operationID = options.operationID ?? null
    this.headers = {
      ...(code === 'unauthorized' && { 'www-authenticate': 'Bearer realm="pulseward"' }),
      ...(this.operationID !== null && { 'x-operation-id': this.operationID }),
    }
  }

  documentFor(requestID: string): v2.Problem & { readonly status: number } {
    const { code, message, errors, operationID } = this
    const { status, title } = v2.problems[code]
    const named = errors
      .slice(0, v2.limits.problemErrors)
      .map(({ field, reason, message: words }) => ({ field, reason, message: words }))
    const more = errors.length > named.length ? ` Only the first ${named.length} mistakes are listed.` : ''
    return {
      type: problemType(code),
      title,
      status,
      detail: `${message}${more}`,
      requestID,
      ...(operationID === null ? {} : { operationID }),
      code,
      ...(named.length === 0 ? {} : { errors: named }),
    }
  }
}

/** Retry-After is always sent where the catalogue promises it. */
function defaultRetryAfter(code: v2.ProblemCode): number | null {
  const { retryAfter }: CatalogueEntry = v2.problems[code]
  return retryAfter === 'always' ? 1 : null
}

/** A refusal that lists every mistake; its detail describes the first. */
export function refusal(
  code: v2.ProblemCode,
  whole: 'body' | 'query' | 'request',
  errors: readonly V2FieldError[],
): V2Problem {
  const [first] = errors
  if (first === undefined) throw new Error('a refusal names no mistake')
  const sentence = `${first.field === '' ? `The ${whole}` : first.field} ${first.message}.`.replace(
    /\?\.$/,
    '?',
  )
  if (errors.length === 1) return new V2Problem(code, sentence, { errors })
  const count = Math.min(errors.length, v2.limits.problemErrors)
  const counted = `${count < errors.length ? 'more than ' : ''}${count}`
  return new V2Problem(code, `The ${whole} has ${counted} mistakes. ${sentence}`, { errors })
}
