// checks/driver/discreet-quote.ts: a server's own words in a sentence, unless they repeat a secret that it was sent. A
// server may reflect a login, whole or in part, and what is quoted goes to notifications and pages.
import { quote } from '../../platform/wording.ts'

/** So many characters of a secret in a row give it away; shorter secrets are looked for whole. */
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

/** As quoting does it: line ends and control characters make no difference. */
function flat(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ')
}
