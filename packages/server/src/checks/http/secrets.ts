// checks/http/secrets.ts: keeps what we sent in confidence out of what we say. A target may reflect a request, and
// what it answers is quoted in reasons; so every secret of the configuration is taken out of a finished reason, in
// each form in which it was sent, also where a quotation was cut in the middle of it or holds only a part of it.
import { Problem } from './attempt.ts'
import type { HttpConfig } from './config.ts'
import { authorizationOf } from './request.ts'
import { onOneLine } from './wording.ts'

// Shorter ones are found in any sentence by chance, and are no secrets.
const MIN_LENGTH = 4
/** A quotation of this length that occurs in a secret is a part of it; shorter ones occur in any long body. */
const MIN_PART_LENGTH = 8

const OPEN_HEADERS = new Set([
  'accept',
  'accept-language',
  'cache-control',
  'content-type',
  'host',
  'user-agent',
])

export function withoutSecrets(problem: Problem, config: HttpConfig): Problem {
  let { reason } = problem
  const secrets = secretsOf(config).map(onOneLine)
  for (const secret of secrets) {
    reason = reason.replaceAll(secret, '[secret]')
    for (let length = secret.length - 1; length >= MIN_LENGTH && reason.includes('…'); length--) {
      reason = reason.replaceAll(`${secret.slice(0, length)}…`, '[secret]…')
    }
  }
  reason = reason.replace(/"([^"]*?)(…?)"/g, (quotation, text: string, cut: string) => {
    const isPart = text.length >= MIN_PART_LENGTH && secrets.some((secret) => secret.includes(text))
    return isPart ? `"[secret]${cut}"` : quotation
  })
  return reason === problem.reason ? problem : new Problem(reason, problem.evidence)
}

function secretsOf(config: HttpConfig): string[] {
  const secrets: string[] = []
  for (const [name, value] of Object.entries(config.headers ?? {})) {
    if (!OPEN_HEADERS.has(name.toLowerCase())) secrets.push(value)
  }
  const { auth, body, proxy } = config
  if (body !== undefined) secrets.push(body)
  if (auth !== undefined && 'bearer' in auth) secrets.push(auth.bearer)
  if (auth !== undefined && 'basic' in auth) {
    const { username, password } = auth.basic
    secrets.push(password, Buffer.from(`${username}:${password}`).toString('base64'))
  }
  for (const text of [config.url, proxy]) {
    const url = text === undefined ? null : URL.parse(text)
    if (url !== null) secrets.push(url.password, authorizationOf(url).slice('Basic '.length))
  }
  return secrets.filter((secret) => secret.length >= MIN_LENGTH)
}
