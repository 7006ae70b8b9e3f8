// import/gatus/endpoint-checks.ts: the check for each kind of Gatus endpoint. The kind is the scheme of the
// URL, or dns if the endpoint has a dns part.
import { entryOf, type Fields } from '../fields.ts'
import { NotCarried } from '../fleet-draft.ts'
import { splitAddress, stated } from '../monitor-parts.ts'
import type { OpenText, Secrets } from '../secrets.ts'
import {
  type Condition,
  certificateDays,
  globIn,
  latencyLimit,
  notExpressible,
  searchedText,
  takeConditions,
} from './conditions.ts'
import {
  anyCertificate,
  type EndpointCheck,
  type EndpointSource,
  latencyWarning,
  tlsOptions,
} from './endpoint-source.ts'
import { httpCheck } from './http-endpoint.ts'

const kinds: Readonly<Record<string, (source: EndpointSource) => EndpointCheck>> = {
  http: httpCheck,
  https: httpCheck,
  tcp: (source) => connectionCheck('tcp', source),
  udp: (source) => connectionCheck('udp', source),
  ws: websocketCheck,
  wss: websocketCheck,
  grpc: grpcCheck,
  grpcs: grpcCheck,
  icmp(source) {
    const { max_latency } = simpleConditions(source)
    const family = entryOf({ ip4: 'ipv4', ip6: 'ipv6' }, source.client.text('network') ?? '')
    return { type: 'icmp', config: { host: address(source).host, ...stated({ family, max_latency }) } }
  },
  tls: (source) => tlsCheck(source, {}),
  starttls(source) {
    source.fields.note('url', 'is taken for a mail server: starttls is SMTP here')
    return tlsCheck(source, { starttls: 'smtp' })
  },
  ssh: sshCheck,
}

export function endpointCheck(source: EndpointSource): EndpointCheck {
  if (source.fields.take('dns') !== undefined) return dnsCheck(source)
  const scheme = /^([a-z]+):\/\//i.exec(source.url)?.[1]?.toLowerCase()
  if (scheme === undefined) throw new NotCarried('url', 'it has no scheme that says what kind of check it is')
  const read = entryOf(kinds, scheme)
  if (read === undefined) throw new NotCarried('url', `there is no check for ${scheme}://`)
  return read(source)
}

function address(
  { url, owner, secrets }: EndpointSource,
  usualPort?: number,
): { host: OpenText; port: number | undefined } {
  const text = /^[a-z]+:\/\/(?:[^/@]*@)?([^/?#]*)/i.exec(url)?.[1] ?? ''
  const { host, port } = splitAddress(text)
  if (/\$/.test(text.slice(host.length)) && secrets.plain(text.slice(host.length)) === null)
    throw new NotCarried('url', 'its port comes from a variable')
  return { host: secrets.open(owner, 'host', host), port: port ?? usualPort }
}

/** The only condition that all simple kinds support: how long the answer took. */
function simpleConditions(
  source: EndpointSource,
  take: (condition: Condition) => string | null = () => notExpressible,
): { max_latency: string | undefined } {
  let limitMs: number | null = null
  takeConditions(source.conditions, source, (condition) => {
    const ms = latencyLimit(condition)
    if (ms === null) return take(condition)
    limitMs = Math.min(ms, limitMs ?? ms)
    return null
  })
  return { max_latency: latencyWarning(limitMs, source.fields) }
}

function connectionCheck(type: 'tcp' | 'udp', source: EndpointSource): EndpointCheck {
  const { fields, owner, secrets } = source
  let expect: string | undefined
  const { max_latency } = simpleConditions(source, (condition) => {
    const text = bodyText(condition)
    if (text === null || expect !== undefined) return notExpressible
    expect = text
    return null
  })
  const body = fields.text('body')
  const send = body === undefined ? undefined : secrets.body(owner, body)
  return { type, config: { ...stated({ ...address(source), send, expect, max_latency }) } }
}

/** The text that an answer must contain; null for other conditions. */
function bodyText({ subject, operator, value }: Condition): string | null {
  if (subject !== '[BODY]' || operator !== '==') return null
  return searchedText(value) ?? (globIn(value) === null ? value : null)
}

function websocketCheck(source: EndpointSource): EndpointCheck {
  const { fields, client, owner, secrets, url } = source
  const { config } = connectionCheck('tcp', source)
  const { send, expect, max_latency } = config as { send?: OpenText; expect?: string; max_latency?: string }
  const headers = fields.textMap('headers')
  return {
    type: 'websocket',
    config: {
      url: secrets.url(owner, url),
      ...stated({
        headers: Object.keys(headers).length === 0 ? undefined : secrets.headers(owner, headers),
        send,
        expect,
        max_latency,
        tls: tlsOptions(client, owner, secrets),
      }),
    },
  }
}

function grpcCheck(source: EndpointSource): EndpointCheck {
  const { url, client, owner, secrets } = source
  const { max_latency } = simpleConditions(source, ({ subject, operator, value }) =>
    subject === '[BODY].status' && operator === '==' && value === 'SERVING' ? null : notExpressible,
  )
  const options = tlsOptions(client, owner, secrets)
  const tls = url.toLowerCase().startsWith('grpcs:') ? (options ?? {}) : undefined
  return { type: 'grpc', config: stated({ ...address(source, 443), tls, max_latency }) }
}

function tlsCheck(source: EndpointSource, more: object): EndpointCheck {
  const { client } = source
  let days: number | undefined
  const { max_latency } = simpleConditions(source, (condition) => {
    const wanted = certificateDays(condition)
    if (wanted === null) return notExpressible
    days = Math.max(wanted, days ?? 0)
    return null
  })
  const verify = anyCertificate(client)
  return {
    type: 'tls',
    config: { ...more, ...stated({ ...address(source), critical_days: days, verify, max_latency }) },
  }
}

function sshCheck(source: EndpointSource): EndpointCheck {
  const { fields, owner, secrets } = source
  let expect: string | undefined
  const { max_latency } = simpleConditions(source, (condition) => {
    const { subject, operator, value } = condition
    if (subject === '[STATUS]' && operator === '==' && value === '0') return null
    const text = bodyText(condition)
    if (text === null || expect !== undefined) return notExpressible
    expect = text
    return null
  })
  const login = fields.fields('ssh')
  const secret = (key: string, purpose: string) => {
    const text = login?.text(key)
    return text === undefined ? undefined : secrets.secret(owner, purpose, text)
  }
  const username = login?.text('username')
  const command = sshCommand(fields, secrets)
  if (expect !== undefined && command === undefined)
    fields.note('conditions', 'the one on [BODY] is not carried over: there is no command')
  return {
    type: 'ssh',
    config: stated({
      ...address(source),
      username: username === undefined ? undefined : secrets.open(owner, 'username', username),
      password: secret('password', 'password'),
      private_key: secret('private-key', 'private key'),
      command,
      expect: command === undefined ? undefined : expect,
      max_latency,
    }),
  }
}

function sshCommand(fields: Fields, secrets: Secrets): string | undefined {
  const body = fields.text('body')
  if (body === undefined) return undefined
  try {
    const { command } = JSON.parse(body) as { command?: unknown }
    const plain = typeof command === 'string' ? secrets.plain(command) : null
    if (plain !== null) return plain
  } catch {
    // Noted below as a missing command.
  }
  fields.note('body', 'has no command that could be carried over')
  return undefined
}

function dnsCheck(source: EndpointSource): EndpointCheck {
  const { fields, url, owner, secrets } = source
  const dns = fields.fields('dns')
  const expect: string[] = []
  let rcode: string | undefined
  const { max_latency } = simpleConditions(source, ({ subject, operator, value }) => {
    if (operator !== '==' || /^(pat|any)\(/.test(value)) return notExpressible
    if (subject === '[DNS_RCODE]') rcode = value
    else if (subject === '[BODY]') expect.push(value)
    else return notExpressible
    return null
  })
  const host = dns?.text('query-name')
  if (host !== undefined && secrets.plain(host) === null)
    throw new NotCarried('dns.query-name', 'it has variables, and names are written openly')
  const server = url.replace(/^[a-z]+:\/\//i, '')
  return {
    type: 'dns',
    config: stated({
      host: host?.replace(/(.)\.$/, '$1'),
      record_type: dns?.text('query-type')?.toUpperCase(),
      server: secrets.open(owner, 'server', server),
      expect: expect.length === 0 ? undefined : expect,
      rcode,
      max_latency,
    }),
  }
}
