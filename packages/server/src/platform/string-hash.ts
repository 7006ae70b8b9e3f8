// platform/string-hash.ts: one hash of strings for everything in the process that needs one. Spreads well, also
// over names that differ in their last digits; it is no protection against somebody who wants collisions.
// It must never change: the phase of every monitor comes from it and has to survive restarts and upgrades.
export function stableHash(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  // Texts often differ only at their end; these rounds carry that into the high bits.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
