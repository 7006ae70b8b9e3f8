// requests/json-pointer.ts: JSON pointers to places in a body (RFC 6901).

export type JsonPath = readonly (string | number)[]

/** Keys come from the client, so a pointer that is too long for an answer is cut. */
const longestPointer = 1_024

export function pointerTo(path: JsonPath): string {
  const pointer = path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return pointer.length > longestPointer ? `${pointer.slice(0, longestPointer - 1)}…` : pointer
}
