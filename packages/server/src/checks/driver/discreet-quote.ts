// checks/driver/discreet-quote.ts: quotes a server's words in a sentence, unless they repeat a secret that it
// was sent. A server may echo a login, whole or in part, and quotes end up in notifications and pages.
import { quote } from '../../platform/wording.ts'

/** This many characters of a secret in a row give it away. Shorter secrets are searched for as a whole. */
const PART_LENGTH = 4

export function discreetQuote(text: string, secrets: readonly (string | null | undefined)[]): string {
  const heard = flat(text)
  return secrets.some((secret) => typeof secret === 'string' && occursIn(flat(secret), heard))
    ? 'something that repeats a secret'
    : quote(text)
}

function occursIn(secret: string, text: string): boolean {
  if (secret.length <= PART_LENGTH) return secret !== '' && text.includes(secret)
  for (let at = 0; at + PART_LENGTH <= secret.length; at++) {
    if (text.includes(secret.slice(at, at + PART_LENGTH))) return true
  }
  return false
}

/** Normalised as in quoting: line ends and control characters make no difference. */
function flat(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ')
}
