// import/blackbox/client-options.ts: options that several probers share: TLS, logins, and which addresses are
// tried. Values that the exporter reads from files stay in their files.
import { type Fields, noCounterpart } from '../fields.ts'
import { NotCarried } from '../fleet-draft.ts'
import { sendable } from '../http-check.ts'
import { stated } from '../monitor-parts.ts'
import type { CredentialReference, OpenText, Secrets } from '../secrets.ts'

/** Undefined unless only one family may be used; otherwise a check tries both. */
export function family(fields: Fields): 'ipv4' | 'ipv6' | undefined {
  const preferred = fields.text('preferred_ip_protocol') ?? 'ip6'
  if (fields.flag('ip_protocol_fallback') !== false) return undefined
  return preferred === 'ip4' ? 'ipv4' : 'ipv6'
}

export function readTls(fields: Fields | null, name: string, secrets: Secrets): object | undefined {
  if (fields === null) return undefined
  fields.refuse(noCounterpart, 'min_version', 'max_version')
  const file = (key: string, purpose: string) => {
    const path = fields.text(key)
    return path === undefined ? undefined : secrets.file(name, purpose, path)
  }
  const options = stated({
    verify: fields.flag('insecure_skip_verify') ? false : undefined,
    ca: file('ca_file', 'authority'),
    certificate: file('cert_file', 'certificate'),
    key: file('key_file', 'private key'),
    server_name: fields.text('server_name'),
  })
  return Object.keys(options).length === 0 ? undefined : options
}

/** Undefined without credentials. */
export function readLogin(fields: Fields, name: string, secrets: Secrets): object | undefined {
  if (fields.take('oauth2') !== undefined)
    throw new NotCarried('oauth2', 'checks here cannot log in by OAuth')
  // The older names of both, from before `authorization`, which the exporter still accepts.
  const token = valueOrFile(fields, 'bearer_token', 'token', name, secrets)
  const basic = fields.fields('basic_auth')
  const authorization = fields.fields('authorization')
  if (basic !== null) {
    const user = basic.text('username')
    const userFile = basic.text('username_file')
    const username: OpenText =
      userFile === undefined
        ? secrets.open(name, 'username', user ?? '')
        : secrets.file(name, 'username', userFile)
    const password = valueOrFile(basic, 'password', 'password', name, secrets)
    if (password === undefined) throw new NotCarried('basic_auth', 'it has no password')
    return { basic: { username, password } }
  }
  if (authorization === null) return token === undefined ? undefined : { bearer: token }
  const type = authorization.text('type') ?? 'Bearer'
  if (type.toLowerCase() !== 'bearer') throw new NotCarried('authorization.type', 'only Bearer is known here')
  const bearer = valueOrFile(authorization, 'credentials', 'token', name, secrets)
  return bearer === undefined ? undefined : { bearer }
}

function valueOrFile(
  fields: Fields,
  key: string,
  purpose: string,
  name: string,
  secrets: Secrets,
): CredentialReference | undefined {
  const value = fields.text(key)
  const file = fields.text(`${key}_file`)
  if (value !== undefined) return secrets.secret(name, purpose, value)
  return file === undefined ? undefined : secrets.file(name, purpose, file)
}

/** Headers as a mapping to texts, or to values, secrets or files. If a header has several values, the last is sent. */
export function readHeaders(
  fields: Fields,
  key: string,
  name: string,
  secrets: Secrets,
): Record<string, OpenText> {
  const written = fields.fields(key)
  const headers: Record<string, OpenText> = {}
  for (const header of written?.keys ?? []) {
    const value = written!.take(header)
    if (Object.keys(sendable({ [header]: typeof value === 'string' ? value : 'any' }, fields)).length === 0)
      continue
    if (typeof value === 'string') Object.assign(headers, secrets.headers(name, { [header]: value }))
    else {
      const inner = written!.fields(header)
      const last = (kind: string) => inner?.texts(kind).at(-1)
      const [open, secret, file] = [last('values'), last('secrets'), last('files')]
      if (open !== undefined) Object.assign(headers, secrets.headers(name, { [header]: open }))
      if (secret !== undefined) headers[header] = secrets.secret(name, `header ${header}`, secret)
      if (file !== undefined) headers[header] = secrets.file(name, `header ${header}`, file)
    }
  }
  return headers
}
