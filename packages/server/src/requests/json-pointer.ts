// requests/json-pointer.ts: where in a body something is (RFC 6901).

export type JsonPath = readonly (string | number)[]

/** Keys come from the client: a pointer that would be longer than an answer should be is cut. */
const longestPointer = 1_024

export function pointerTo(path: JsonPath): string {
  const pointer = path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return pointer.length > longestPointer ? `${pointer.slice(0, longestPointer - 1)}…` : pointer
}
