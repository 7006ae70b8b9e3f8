// import/http-check.ts: the request of an http check, from any source: takes secrets out of URL, headers,
// body and login, and drops headers that the check writes itself.
import type { Fields } from './fields.ts'
import { NotCarried } from './fleet-draft.ts'
import { stated } from './monitor-parts.ts'
import { decoded, type OpenText, type Secrets } from './secrets.ts'

export interface HttpRequest {
  readonly url: string
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly login?: Login | undefined
}

export type Login =
  | { readonly basic: { readonly username: string; readonly password: string } }
  | { readonly bearer: string }

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Headers that the check writes itself. */
const ownHeaders = new Set(['connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect', 'te'])
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

export function httpRequest(request: HttpRequest, owner: string, fields: Fields, secrets: Secrets): object {
  const method = request.method?.toUpperCase()
  if (method !== undefined && !methods.has(method))
    throw new NotCarried('method', 'http checks do not send requests of this method')
  const { url, login: inUrl } = splitUserInfo(request.url)
  const { headers, bearer } = splitBearer(sendable(request.headers ?? {}, fields))
  const other = request.login ?? inUrl
  const hasOwnLogin = bearer !== null || hasAuthorization(headers)
  if (hasOwnLogin && other !== undefined)
    fields.note('headers', 'bring a login of their own, which is used instead of the other one')
  const login = bearer !== null ? { bearer } : hasOwnLogin ? undefined : other
  return {
    url: secrets.url(owner, url),
    ...stated({
      method: writtenMethod(method, request.body !== undefined),
      headers: Object.keys(headers).length === 0 ? undefined : secrets.headers(owner, headers),
      body: request.body === undefined ? undefined : secrets.body(owner, request.body),
      auth: login === undefined ? undefined : writtenLogin(login, owner, secrets),
    }),
  }
}

/** All sources send GET if they name no method; a check with a body would send POST. */
export function writtenMethod(method: string | undefined, hasBody: boolean): string | undefined {
  if (hasBody) return method ?? 'GET'
  return method === 'GET' ? undefined : method
}

function hasAuthorization(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}

function writtenLogin(login: Login, owner: string, secrets: Secrets): object {
  if ('bearer' in login) return { bearer: secrets.secret(owner, 'token', login.bearer) }
  const { username, password } = login.basic
  const user: OpenText = secrets.open(owner, 'username', username)
  return { basic: { username: user, password: secrets.secret(owner, 'password', password) } }
}

/** A password is never left in a plain URL; without a password, neither is the user name. */
export function splitUserInfo(text: string): { url: string; login?: Login } {
  const [, scheme = '', userInfo, rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@(.*)$/is.exec(text) ?? []
  if (userInfo === undefined || userInfo.includes('$')) return { url: text }
  const colon = userInfo.indexOf(':')
  const username = decoded(colon === -1 ? userInfo : userInfo.slice(0, colon))
  const password = colon === -1 ? '' : decoded(userInfo.slice(colon + 1))
  const url = scheme + rest
  if (password !== '') return { url, login: { basic: { username, password } } }
  // A user name alone is usually a token: the whole URL becomes a secret.
  return username === '' ? { url } : { url: text }
}

export function sendable(headers: Readonly<Record<string, string>>, fields: Fields): Record<string, string> {
  const entries = Object.entries(headers).filter(([name, value]) => {
    const isOwn = ownHeaders.has(name.toLowerCase())
    const isRight = headerName.test(name) && !/[\r\n\0]/.test(value)
    if (isOwn) fields.note('headers', 'are carried over without those that the check writes itself')
    else if (!isRight) fields.note('headers', 'are carried over without those that HTTP does not allow')
    else if (value === '') fields.note('headers', 'are carried over without those that are empty')
    return !isOwn && isRight && value !== ''
  })
  return Object.fromEntries(entries)
}

function splitBearer(headers: Record<string, string>): {
  headers: Record<string, string>
  bearer: string | null
} {
  const name = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization')
  const [, token] = /^Bearer\s+(\S+)\s*$/i.exec(headers[name ?? ''] ?? '') ?? []
  if (name === undefined || token === undefined) return { headers, bearer: null }
  const { [name]: _, ...others } = headers
  return { headers: others, bearer: token }
}

/**
 * Other programs compare texts; a check compares JSON values, so text that reads like a number or a boolean becomes one.
 */
export function typedValue(text: string): string | number | boolean | null {
  if (/^-?(0|[1-9][0-9]{0,14})(\.[0-9]+)?$/.test(text)) return Number(text)
  if (text === 'true' || text === 'false') return text === 'true'
  return text === 'null' ? null : text
}
