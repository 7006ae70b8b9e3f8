// platform/string-hash.ts: the one string hash of the process. Spreads well, even for names that differ only
// in their last digits; it does not protect against deliberate collisions. It must never change: the phase of
// every monitor is derived from it and has to survive restarts and upgrades.
const offset = 0x811c9dc5
const prime = 0x01000193

export function stableHash(text: string): number {
  let hash = offset
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), prime)
  return spread(hash)
}

/** stableHash of the text with these UTF-8 bytes; -1 if they are not all ASCII and the text itself is needed. */
export function stableHashOfAscii(bytes: Uint8Array, from: number, to: number): number {
  let hash = offset
  let seen = 0
  for (let index = from; index < to; index++) {
    const byte = bytes[index]!
    seen |= byte
    hash = Math.imul(hash ^ byte, prime)
  }
  return seen < 0x80 ? spread(hash) : -1
}

/** Combines two hashes into one. */
export function combineHashes(one: number, other: number): number {
  return spread(Math.imul(one ^ offset, prime) ^ other)
}

/** Texts often differ only at their end; these rounds carry the difference into the high bits. */
function spread(sum: number): number {
  let hash = sum
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
