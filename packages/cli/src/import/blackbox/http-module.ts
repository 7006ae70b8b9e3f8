// import/blackbox/http-module.ts: modules that probe over HTTP.
import { type Fields, noCounterpart } from '../fields.ts'
import { httpRequest, splitUserInfo, writtenMethod } from '../http-check.ts'
import { stated } from '../monitor-parts.ts'
import { family, readHeaders, readLogin, readTls } from './client-options.ts'
import type { ModuleSource, Prober } from './prober.ts'

export function httpProber({ fields, name, secrets }: ModuleSource): Prober {
  fields.refuse(
    noCounterpart,
    'fail_if_ssl',
    'body_size_limit',
    'compression',
    'enable_http3',
    'valid_http_versions',
  )
  fields.refuse(noCounterpart, 'proxy_connect_header', 'no_proxy', 'proxy_from_environment')
  fields.pass('skip_resolve_phase_with_proxy', 'enable_http2')
  const login = readLogin(fields, name, secrets)
  const headers = {
    ...readHeaders(fields, 'headers', name, secrets),
    ...readHeaders(fields, 'http_headers', name, secrets),
  }
  const proxy = fields.text('proxy_url')
  const isFollowing = !fields.flag('no_follow_redirects') && (fields.flag('follow_redirects') ?? true)
  const isSecureOnly = fields.flag('fail_if_not_ssl') === true
  const expect = expectation(fields)
  const options = stated({
    ...requestOptions(fields, name, secrets),
    headers: Object.keys(headers).length === 0 ? undefined : headers,
    auth: login,
    expect: Object.keys(expect).length === 0 ? undefined : expect,
    redirects: isFollowing ? { follow: true } : undefined,
    tls: readTls(fields.fields('tls_config'), name, secrets),
    proxy: proxy === undefined ? undefined : secrets.url(`${name} proxy`, proxy),
    family: family(fields),
  })
  return (address, owner) => {
    // The exporter treats an address without a scheme as http.
    const target = splitUserInfo(/^https?:\/\//i.test(address) ? address : `http://${address}`)
    const own = httpRequest({ url: target.url, ...stated({ login: target.login }) }, owner, fields, secrets)
    if (isSecureOnly && !/^https:/i.test(address))
      fields.note('fail_if_not_ssl', 'is not carried over for targets of http')
    return { type: 'http', config: { ...own, ...options } }
  }
}

/** Method and body; the URL is that of each target. */
function requestOptions(fields: Fields, name: string, secrets: ModuleSource['secrets']): object {
  const request = { url: 'http://target.invalid/', method: fields.text('method'), body: fields.text('body') }
  const { url: _, ...options } = httpRequest(request, name, fields, secrets) as { url: unknown }
  const bodyFile = fields.text('body_file')
  if (bodyFile === undefined) return options
  const method = writtenMethod(request.method?.toUpperCase(), true)
  return { ...options, method, body: secrets.file(name, 'body', bodyFile) }
}

function expectation(fields: Fields): Record<string, unknown> {
  const status = fields.list('valid_status_codes')
  const body = bodyExpectation(fields)
  const headers = headerExpectation(fields)
  return stated({
    status: status.length === 0 ? undefined : status,
    body: Object.keys(body).length === 0 ? undefined : body,
    headers: Object.keys(headers).length === 0 ? undefined : headers,
  })
}

const plainText = /^[^\\^$.*+?()[\]{}|]+$/

function bodyExpectation(fields: Fields): Record<string, string> {
  const body: Record<string, string> = {}
  fields.refuse(noCounterpart, 'fail_if_body_json_matches_cel', 'fail_if_body_json_not_matches_cel')
  for (const regex of fields.texts('fail_if_body_matches_regexp')) {
    if (plainText.test(regex) && body['not_contains'] === undefined) body['not_contains'] = regex
    else
      fields.note('fail_if_body_matches_regexp', 'is not carried over where it is more than one plain text')
  }
  for (const regex of fields.texts('fail_if_body_not_matches_regexp')) {
    const key = plainText.test(regex) && body['contains'] === undefined ? 'contains' : 'regex'
    if (body[key] === undefined) body[key] = regex
    else
      fields.note(
        'fail_if_body_not_matches_regexp',
        'has more expressions than a check can hold; the first are taken',
      )
  }
  return body
}

function headerExpectation(fields: Fields): Record<string, object> {
  const headers: Record<string, object> = {}
  fields.refuse('is not carried over: a check can only want headers', 'fail_if_header_matches')
  for (const rule of fields.items('fail_if_header_not_matches')) {
    const [header, regex] = [rule.text('header'), rule.text('regexp')]
    const mayMiss = rule.flag('allow_missing') === true
    if (header === undefined || regex === undefined || mayMiss || headers[header] !== undefined)
      rule.note('', 'is not carried over: a check wants a header once, and that it is there')
    else headers[header] = { regex }
  }
  return headers
}
