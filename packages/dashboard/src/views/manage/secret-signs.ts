// views/manage/secret-signs.ts: texts that look like a secret in a place that every reader can see. Only a
// warning: a person knows better what a text is. The warning never repeats what was found.
import { v2 } from '@pulseward/contract'
import { isObject, type Json, type Path, pointerOf, textsIn } from './json.ts'

export interface SecretSign {
  readonly pointer: string
  readonly message: string
}

const signs: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'a private key'],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/, 'an access key of AWS'],
  [/\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}/, 'a token of GitHub'],
  [/\bxox[abeoprs]-[A-Za-z0-9-]{10,}/, 'a token of Slack'],
  [/hooks\.slack\.com\/services\/[A-Za-z0-9/]{20,}/, 'a webhook address of Slack, which is a secret'],
  [/\bsk[-_](?:live_|test_|proj-)?[A-Za-z0-9_-]{20,}/, 'a secret key'],
  [/\bpw_[A-Za-z0-9_-]{30,}/, 'a token of Pulseward'],
  [/\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\./, 'a signed token (JWT)'],
  [/^(?:bearer|basic)\s+\S{8,}$/i, 'a login'],
  [/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@:]*:[^\s/?#@]+@/i, 'an address with a password'],
  [
    /[?&](?:[a-z_-]*(?:token|secret|password|passwd|api_?key|signature))=[^&\s]{6,}/i,
    'an address with a secret',
  ],
]
/** Long, with mixed letters and digits, without spaces or the characters of an address. */
const randomLooking = /^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9_+=-]{32,}$/

/** Except `/spec/value` of a credential, where a secret belongs. */
export function secretSigns(document: Json): readonly SecretSign[] {
  const isCredential = isObject(document) && document['kind'] === 'Credential'
  const found: SecretSign[] = []
  for (const { path, text } of textsIn(document)) {
    const pointer = pointerOf(path)
    if ((isCredential && pointer === '/spec/value') || path.includes('credentialRefs')) continue
    const what = whatItLooksLike(path, text)
    if (what !== null)
      found.push({ pointer, message: `looks like ${what}. Keep it in a credential and refer to that.` })
  }
  return found
}

function whatItLooksLike(path: Path, text: string): string | null {
  const [, what] = signs.find(([pattern]) => pattern.test(text)) ?? []
  if (what !== undefined) return what
  const name = path.at(-1)
  const isOption = path.includes('config')
  if (isOption && typeof name === 'string' && text.length >= 4 && v2.isSecretName(name))
    return 'a secret by its name'
  return randomLooking.test(text) ? 'a key or a token' : null
}
