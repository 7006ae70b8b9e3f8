// platform/json/canonical-json.ts: JSON with exactly one text per value: keys sorted by UTF-16 code units, no white
// space, numbers as JavaScript writes them (RFC 8785). Equal content has equal text and an equal digest. The RFC refuses
// a lone surrogate; here it is written as an escape: whatever can be parsed has a canonical form.
import { hash } from 'node:crypto'

/** Throws TypeError if the value is not JSON. Undefined members are omitted. */
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

/** The digest of the canonical text, as the contract writes digests. */
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

/** A cache of quoted keys: most objects have the same few. */
const quotedKeys = new Map<string, string>()
const mostQuotedKeys = 1_000
const longestQuotedKey = 64

/** Includes the colon. */
function quotedKey(key: string): string {
  const known = quotedKeys.get(key)
  if (known !== undefined) return known
  const quoted = `${JSON.stringify(key)}:`
  if (quotedKeys.size < mostQuotedKeys && key.length <= longestQuotedKey) quotedKeys.set(key, quoted)
  return quoted
}

/** By code units, which is how JavaScript compares strings. Most objects are already sorted. */
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value)
  for (let index = 1; index < keys.length; index++)
    if (keys[index - 1]! > keys[index]!) return keys.sort((left, right) => (left < right ? -1 : 1))
  return keys
}

/** Dates, maps and the like have no own entries, and would be written as empty objects. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
