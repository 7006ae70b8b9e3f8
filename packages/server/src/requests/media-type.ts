// requests/media-type.ts: whether a body says that it is what the operation takes. Exactly: a page of another origin may send
// other types without asking (text/plain), so being lenient here would open a door.
import { V2Problem } from './v2-problem.ts'

const parameterForm = /^charset=(?:utf-8|"utf-8")$/

/** UTF-8 may be named, because it is what is meant; no other parameter has a meaning. */
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

/** Also for a listener that cannot even read the content type. */
export function otherMediaType(contentType: string | undefined, expected: string): V2Problem {
  const message = contentType === undefined ? `is missing; it must be ${expected}` : `must be ${expected}`
  return new V2Problem('unsupportedMediaType', `Content-Type ${message}.`, {
    errors: [
      { field: 'Content-Type', reason: contentType === undefined ? 'required' : 'notAllowed', message },
    ],
  })
}
