// import/uptime-kuma/http-monitor.ts: Uptime Kuma monitors that use HTTP: they expect a status, a
// keyword or a value in JSON.
import { entryOf, type Fields, noCounterpart } from '../fields.ts'
import { NotCarried } from '../fleet-draft.ts'
import { httpRequest, type Login, typedValue } from '../http-check.ts'
import { stated } from '../monitor-parts.ts'
import type { Secrets } from '../secrets.ts'
import type { CheckSource } from './check-source.ts'
import { idOf } from './source.ts'

const mostRedirects = 5
const contentTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'text/xml; charset=utf-8',
}

export function httpMonitor(source: CheckSource): object {
  const { fields, owner, secrets } = source
  const url = fields.text('url')
  if (url === undefined) throw new NotCarried('url', 'it is missing')
  fields.refuse(noCounterpart, 'cache_bust', 'retry_only_on_status_code_failure')
  if (/^https:/i.test(url))
    fields.refuse('is not carried over: add a monitor with a check of type tls', 'expiry_notification')
  const body = fields.text('body')
  const request = {
    url,
    method: fields.text('method'),
    headers: headersOf(fields, body),
    body,
    login: loginOf(fields),
  }
  const family = fields.text('ip_family')
  return {
    ...httpRequest(request, owner, fields, secrets),
    ...stated({
      expect: expectation(fields),
      redirects: redirects(fields),
      tls: tlsOf(fields, owner, secrets),
      proxy: proxyOf(source),
      family: family === 'ipv4' || family === 'ipv6' ? family : undefined,
    }),
  }
}

function headersOf(fields: Fields, body: string | undefined): Record<string, string> {
  const headers = fields.textMap('headers')
  const encoding = fields.text('http_body_encoding') ?? 'json'
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  const type = entryOf(contentTypes, encoding)
  return body === undefined || hasType || type === undefined ? headers : { 'Content-Type': type, ...headers }
}

export function loginOf(fields: Fields): Login | undefined {
  const method = fields.text('auth_method') ?? (fields.text('basic_auth_user') === undefined ? '' : 'basic')
  const [username = '', password] = [fields.text('basic_auth_user'), fields.text('basic_auth_pass')]
  const bearer = fields.text('bearer_token')
  if (method === 'oauth2-cc' || method === 'ntlm')
    throw new NotCarried(
      'auth_method',
      `checks here cannot log in by ${method === 'ntlm' ? 'NTLM' : 'OAuth'}`,
    )
  if (method === 'bearer' && bearer !== undefined) return { bearer }
  if (method !== 'basic') return undefined
  if (password === undefined)
    throw new NotCarried('basic_auth_pass', 'a login without a password is not possible here')
  return { basic: { username, password } }
}

function expectation(fields: Fields): object {
  const status = fields
    .texts('accepted_statuscodes')
    .map((code) => (/^[0-9]+$/.test(code) ? Number(code) : code))
  const body = bodyExpectation(fields)
  return stated({ status: status.length === 0 ? undefined : status, body })
}

function bodyExpectation(fields: Fields): object | undefined {
  const type = fields.text('type')
  const keyword = fields.text('keyword')
  if (type === 'keyword' && keyword === undefined) fields.note('keyword', 'is empty; nothing is looked for')
  if (type === 'keyword' && keyword !== undefined)
    return fields.flag('invert_keyword') ? { not_contains: keyword } : { contains: keyword }
  if (type !== 'json-query') return undefined
  const path = fields.text('json_path') ?? '$'
  const operator = fields.text('json_path_operator') ?? '=='
  const expected = fields.text('expected_value') ?? ''
  const isPath = /^\$?\.?([A-Za-z_]\w*|\[[0-9]+\])(\.[A-Za-z_]\w*|\[[0-9]+\])*$/.test(path)
  if (!isPath || operator !== '==') {
    fields.note('json_path', 'is not carried over: a check can only follow names and want one value')
    return undefined
  }
  fields.note('expected_value', 'is compared as text, number or truth value, by how it is written')
  const steps = path.replace(/^\$?\.?/, '')
  return {
    json: [{ path: steps.startsWith('[') ? `$${steps}` : `$.${steps}`, equals: typedValue(expected) }],
  }
}

function redirects(fields: Fields): object | undefined {
  const most = fields.number('maxredirects') ?? 0
  if (most <= 0) return undefined
  if (most > mostRedirects)
    fields.note('maxredirects', `is set to ${mostRedirects}, the most that are followed`)
  return { follow: true, ...(most < mostRedirects ? { max: most } : {}) }
}

export function tlsOf(fields: Fields, owner: string, secrets: Secrets): object | undefined {
  const usesCertificate = fields.text('auth_method') === 'mtls'
  const [ca, certificate, key] = ['tls_ca', 'tls_cert', 'tls_key'].map((name) =>
    usesCertificate ? fields.text(name) : undefined,
  )
  const options = stated({
    verify: fields.flag('ignore_tls') ? false : undefined,
    ca,
    certificate,
    key: key === undefined ? undefined : secrets.secret(owner, 'private key', key),
  })
  return Object.keys(options).length === 0 ? undefined : options
}

function proxyOf({ fields, owner, secrets, source }: CheckSource): unknown {
  const id = idOf(fields.take('proxy_id'))
  if (id === null || id === 0) return undefined
  const proxy = source.proxies?.get(id)
  if (proxy === undefined)
    throw new NotCarried('proxy_id', 'its proxy is not in the file; import the database instead')
  if (proxy['active'] === 0) return undefined
  const { protocol, host, port, auth, username, password } = proxy
  if (protocol !== 'http') throw new NotCarried('proxy_id', 'checks go through proxies of http alone')
  const login =
    auth === 1
      ? `${encodeURIComponent(String(username ?? ''))}:${encodeURIComponent(String(password ?? ''))}@`
      : ''
  return secrets.url(`${owner} proxy`, `http://${login}${String(host)}:${String(port)}`)
}
