// checks/http/secrets.ts: keeps secrets that we sent out of reasons. A target may echo a request, and reasons
// quote its answers; so every part of the configuration that may be secret is removed from a finished reason,
// whether it came from a credential or not.
import { withoutSecrets as redacted } from '../../platform/redaction/redaction.ts'
import type { HttpConfig } from './config.ts'
import { authorizationOf } from './render-request.ts'

// Shorter ones occur in any sentence by chance and cannot be secret.
const MIN_LENGTH = 4

const OPEN_HEADERS = new Set([
  'accept',
  'accept-language',
  'cache-control',
  'content-type',
  'host',
  'user-agent',
])

export function withoutSecrets(reason: string, config: HttpConfig): string {
  return redacted(reason, secretsOf(config))
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
