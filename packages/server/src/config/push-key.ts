// config/push-key.ts: what the key of a push monitor looks like: it stands in an address, and is all that its job
// has to know.
import { randomBytes } from 'node:crypto'
import { type KeyDigest, keyDigest } from '../platform/key-table.ts'

export const pushKeyPattern = /^[A-Za-z0-9_-]{22,128}$/
export const pushKeyInWords = '22 to 128 letters, digits, "-" and "_"; pulseward push-key create prints one'

export function newPushKey(): string {
  return randomBytes(32).toString('base64url')
}

/** By which its monitor is found; null for a text that cannot be a key. */
export function pushKeyDigest(text: string): KeyDigest | null {
  return pushKeyPattern.test(text) ? keyDigest(text) : null
}
