// checks/driver/observation.ts: what a check saw, for a person who tries it before saving it. A driver notes facts and
// assertions as it comes to them, and only if a reader asked: run.observe?.(fact('address', …)) costs a check nothing.
import type { X509Certificate } from 'node:crypto'
import { withoutSecrets } from '../../platform/redaction/redaction.ts'
import { onOneLine } from '../../platform/wording.ts'

/** Characters of a text that is shown. */
const mostShown = 500

export interface Observation {
  /** What it is about, such as "status" or "header Content-Type". */
  readonly name: string
  readonly seen: string
  /** What it had to be; null for a fact. */
  readonly expected: string | null
  /** Whether it was as expected; null for a fact. */
  readonly isMet: boolean | null
}

/** Undefined if no reader asked. */
export type Observe = ((observation: Observation) => void) | undefined

export function fact(name: string, seen: string): Observation {
  return { name, seen, expected: null, isMet: null }
}

/** An assertion of the configuration. */
export function assertion(name: string, seen: string, expected: string, isMet: boolean): Observation {
  return { name, seen, expected, isMet }
}

/** For every driver that makes a TLS handshake, also if the certificate is then refused. */
export function observeCertificate(
  { observe }: { readonly observe: Observe },
  leaf: X509Certificate | null,
): void {
  if (observe === undefined || leaf === null) return
  observe(fact('certificate subject', inWords(leaf.subject)))
  observe(fact('certificate issuer', inWords(leaf.issuer)))
  const names = leaf.subjectAltName?.replaceAll(/(^|, )(?:DNS|IP Address):/g, '$1')
  if (names !== undefined) observe(fact('certificate names', names))
  observe(fact('certificate expires', leaf.validToDate.toISOString()))
}

/** Node.js writes a distinguished name in lines, and nothing for an empty one. */
function inWords(name: string | undefined): string {
  return name === undefined || name === '' ? 'none' : name.replaceAll('\n', ', ')
}

/** A target may say much, may repeat what it was sent, and may send what a terminal must not print. */
export function shownSafely(observation: Observation, secrets: readonly string[]): Observation {
  const { name, seen, expected, isMet } = observation
  const shown = (text: string) => cut(onOneLine(withoutSecrets(text, secrets)))
  return { name: shown(name), seen: shown(seen), expected: expected === null ? null : shown(expected), isMet }
}

function cut(text: string): string {
  const characters = Array.from(text)
  return characters.length <= mostShown ? text : `${characters.slice(0, mostShown - 1).join('')}…`
}
