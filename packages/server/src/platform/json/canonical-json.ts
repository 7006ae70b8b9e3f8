// platform/json/canonical-json.ts: JSON of which there is one text: keys sorted by UTF-16 code units, no white space, numbers
// as JavaScript writes them (RFC 8785). Equal content has equal text and an equal digest. Where the RFC refuses half of a
// surrogate pair, it is written as an escape: whatever could be parsed has a canonical form.
import { hash } from 'node:crypto'

/** Throws TypeError for what is not JSON. Members that are undefined are left out, as if they were not there. */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value)
    case 'number':
      if (Number.isFinite(value)) return JSON.stringify(value)
      break
    case 'object':
      if (value === null) return 'null'
      if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`
      if (isPlain(value)) return canonicalObject(value)
  }
  throw new TypeError(`a value of the type ${typeof value} is not JSON`)
}

/** Of the canonical text, as the contract writes digests. */
export function canonicalDigest(value: unknown): string {
  return `sha256:${hash('sha256', canonicalJson(value), 'hex')}`
}

function canonicalObject(value: object): string {
  const members = value as Readonly<Record<string, unknown>>
  let text = ''
  for (const key of sortedKeys(value)) {
    const member = members[key]
    if (member === undefined) continue
    text += `${text === '' ? '' : ','}${quotedKey(key)}${canonicalJson(member)}`
  }
  return `{${text}}`
}

/** Keys that were written before: most objects have the same few. */
const quotedKeys = new Map<string, string>()
const mostQuotedKeys = 1_000
const longestQuotedKey = 64

/** With the colon behind it. */
function quotedKey(key: string): string {
  const known = quotedKeys.get(key)
  if (known !== undefined) return known
  const quoted = `${JSON.stringify(key)}:`
  if (quotedKeys.size < mostQuotedKeys && key.length <= longestQuotedKey) quotedKeys.set(key, quoted)
  return quoted
}

/** By code units: that is how JavaScript compares strings. Most objects are sorted already. */
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value)
  for (let index = 1; index < keys.length; index++)
    if (keys[index - 1]! > keys[index]!) return keys.sort((left, right) => (left < right ? -1 : 1))
  return keys
}

/** Dates, maps and the like have no entries of their own, and would be written as nothing. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
