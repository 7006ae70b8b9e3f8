// api/entity-tag.ts: entity tags of cacheable answers. To a cache a compressed body is another
// representation, so its tag ends with the encoding; with or without that suffix, a tag means the same state.
import { createHash } from 'node:crypto'

const ending = /\.(zstd|br|gzip)"$/

export function tagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

export function encodedTag(tag: string, encoding: string): string {
  return `${tag.slice(0, -1)}.${encoding}"`
}

/** The client's tag for this state, as the client wrote it; null if the client has another state. */
export function knownTag(ifNoneMatch: string | undefined, tag: string): string | null {
  for (const part of ifNoneMatch?.split(',') ?? []) {
    const known = part.trim()
    if (known === '*') return tag
    // If-None-Match uses weak comparison.
    const strong = known.replace(/^W\//, '')
    if (strong.replace(ending, '"') === tag) return strong
  }
  return null
}
