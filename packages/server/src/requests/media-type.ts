// requests/media-type.ts: checks that the content type of a body is exactly the one that the operation takes. A page of
// another origin may send some types without a preflight (text/plain), so being lenient would open a hole.
import { V2Problem } from './v2-problem.ts'

const parameterForm = /^charset=(?:utf-8|"utf-8")$/

/** charset=utf-8 is accepted, because it is implied; no other parameter has a meaning. */
export function isMediaType(contentType: string | undefined, expected: string): boolean {
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  if (type !== expected || parameters.length > 1) return false
  return parameters.every((parameter) => parameterForm.test(parameter))
}

export function requireMediaType(contentType: string | undefined, expected: string): void {
  if (!isMediaType(contentType, expected)) throw otherMediaType(contentType, expected)
}

/** Also used by the listener when it cannot read the content type at all. */
export function otherMediaType(contentType: string | undefined, expected: string): V2Problem {
  const message = contentType === undefined ? `is missing; it must be ${expected}` : `must be ${expected}`
  return new V2Problem('unsupportedMediaType', `Content-Type ${message}.`, {
    errors: [
      { field: 'Content-Type', reason: contentType === undefined ? 'required' : 'notAllowed', message },
    ],
  })
}
