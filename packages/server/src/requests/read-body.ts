// requests/read-body.ts: reads the body of a v2 request: checks its content type, size, JSON and shape, in this order.
// Returns the type that the contract defines; mistakes are thrown as one problem that names all of them.
import type { BodyOf, v2 } from '@pulseward/contract'
import { requireShape } from './check-shape.ts'
import { requireMediaType } from './media-type.ts'
import { parseStrictJson } from './strict-json.ts'
import { refusal, V2Problem } from './v2-problem.ts'

/** Undefined for an operation without a body, which needs no content type either. */
export function readBody<Of extends v2.V2Operation>(
  operation: Of,
  contentType: string | undefined,
  bytes: Uint8Array,
): BodyOf<Of> {
  const { body } = operation
  if (body === undefined) {
    if (bytes.byteLength > 0) throw bodyNotExpected()
    return undefined as BodyOf<Of>
  }
  requireMediaType(contentType, body.mediaType)
  if (bytes.byteLength > body.maxBytes) throw bodyTooLarge(operation)
  const read = parseStrictJson(bytes)
  if ('mistakes' in read) throw refusal('invalidBody', 'body', read.mistakes)
  return requireShape(body.schema, read.value) as BodyOf<Of>
}

export function bodyNotExpected(): V2Problem {
  return new V2Problem('invalidBody', 'The request has a body, and this operation takes none.')
}

/** Also used by the listener when it stops reading early. */
export function bodyTooLarge({ body }: v2.V2Operation): V2Problem {
  return new V2Problem('bodyTooLarge', `The body may have at most ${body?.maxBytes ?? 0} bytes.`)
}
