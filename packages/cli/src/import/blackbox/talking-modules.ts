// import/blackbox/talking-modules.ts: modules that open a connection and exchange text. A check sends once
// and waits for one text, so longer dialogues are carried over only up to that point.
import { type Fields, isMapping, noCounterpart } from '../fields.ts'
import { NotCarried } from '../fleet-draft.ts'
import { splitAddress, stated } from '../monitor-parts.ts'
import type { Secrets } from '../secrets.ts'
import { family, readHeaders, readLogin, readTls } from './client-options.ts'
import type { ModuleSource, Prober } from './prober.ts'

export function tcpProber({ fields, name, secrets }: ModuleSource): Prober {
  fields.refuse(noCounterpart, 'source_ip_address')
  const steps = fields.list('query_response').filter(isMapping)
  const isSecure = fields.flag('tls') === true
  const tls = readTls(fields.fields('tls_config'), name, secrets)
  const addresses = family(fields)
  if (isSecure || steps.some(({ starttls }) => starttls === true)) {
    const starttls = isSecure ? undefined : protocolOf(steps)
    fields.refuse('is not carried over: a check of TLS ends with the handshake', 'query_response')
    const { verify, ...identity } = (tls ?? {}) as { verify?: false }
    const check = {
      starttls,
      verify: verify === false ? { chain: false, name: false } : undefined,
      ...identity,
    }
    return (address) => ({
      type: 'tls',
      config: { ...place(address), ...stated({ ...check, family: addresses }) },
    })
  }
  const talk = readTalk(fields, name, secrets)
  return (address) => ({
    type: 'tcp',
    config: { ...place(address), ...stated({ ...talk, family: addresses }) },
  })
}

export function websocketProber({ fields, name, secrets }: ModuleSource): Prober {
  const client = fields.fields('http_config') ?? fields.within('http_config', {})
  const login = readLogin(client, name, secrets)
  if (login !== undefined)
    throw new NotCarried('http_config', 'a check of WebSockets logs in by headers alone')
  client.pass('enable_http2', 'follow_redirects')
  const headers = readHeaders(fields, 'headers', name, secrets)
  const options = stated({
    ...readTalk(fields, name, secrets),
    headers: Object.keys(headers).length === 0 ? undefined : headers,
    tls: readTls(client.fields('tls_config'), name, secrets),
    family: family(fields),
  })
  return (address, owner) => ({ type: 'websocket', config: { url: secrets.url(owner, address), ...options } })
}

function place(address: string): object {
  const { host, port } = splitAddress(address.replace(/^[a-z]+:\/\//i, ''))
  return { host, ...stated({ port: port ?? undefined }) }
}

/** The protocol in which TLS starts, judging by the text before it; PostgreSQL uses bytes. */
function protocolOf(steps: readonly Record<string, unknown>[]): 'smtp' | 'imap' | 'postgres' {
  const said = steps.map(({ send }) => (typeof send === 'string' ? send : '')).join('\n')
  if (/^(EHLO|HELO)/im.test(said)) return 'smtp'
  return /STARTTLS/i.test(said) ? 'imap' : 'postgres'
}

function readTalk(fields: Fields, name: string, secrets: Secrets): object {
  const sent: string[] = []
  const expected: string[] = []
  for (const step of fields.items('query_response')) {
    const send = step.text('send')
    const expect = step.text('expect') ?? step.text('expect_bytes')
    step.pass('expect', 'expect_bytes', 'labels', 'starttls')
    if (send !== undefined) sent.push(send)
    if (expect !== undefined) expected.push(expect)
  }
  const [expect] = expected
  const text = expect === undefined ? undefined : literal(expect)
  if (sent.length > 1 || expected.length > 1 || (expect !== undefined && text === undefined))
    fields.note(
      'query_response',
      'is carried over as one text that is sent and one that is waited for, as far as it is plain',
    )
  return stated({
    send: sent.length === 0 ? undefined : secrets.body(name, sent.map((line) => `${line}\n`).join('')),
    expect: text,
  })
}

/** The text that a regex without special characters looks for, ignoring anchors. */
function literal(regex: string): string | undefined {
  const inner = regex.replace(/^\^/, '').replace(/\$$/, '')
  return /^[^\\^$.*+?()[\]{}|]+$/.test(inner) ? inner : undefined
}
