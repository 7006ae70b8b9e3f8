// checks/driver/server-config.ts: the address of a server and its login: a url, or its parts. A url written
// in plain text must not hold a password; one from a credential may. Options after a question mark are
// refused, because silently ignoring one (such as a request for TLS) would be worse.
import type { Static, TObject } from 'typebox'
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import type { ConnectTarget, Family } from '../../platform/network/network.ts'
import {
  Duration,
  Host,
  OneLineSecret,
  OpenOrSecretLine,
  oneOf,
  Port,
  Secret,
} from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { tlsOptions } from '../../platform/tls/tls-options.ts'
import { UnusableConfig } from '../driver.ts'

export type TlsConfig = Static<typeof tlsOptions>

export interface Protocol {
  /** The usual scheme, also for display. */
  readonly scheme: string
  readonly otherSchemes?: readonly string[]
  readonly port: number
  /** For protocols with a separate scheme for TLS. */
  readonly secureScheme?: string
  readonly securePort?: number
  /** What the path of a url names, such as a database. Without it, a path is refused. */
  readonly path?: string
  /** What such a path must look like. */
  readonly pathPattern?: RegExp
  /** Whether a login always needs a user. */
  readonly needsUser?: boolean
}

export interface ServerConfig {
  readonly url?: string
  readonly host?: string
  readonly port?: number
  readonly user?: string
  readonly password?: string
  readonly tls?: TlsConfig
  readonly family?: Family
  readonly max_latency?: string
}

export interface Server extends ConnectTarget {
  readonly user: string | null
  readonly password: string | null
  /** What the path of the url names, decoded; null if there is none. */
  readonly path: string | null
  /** Null for an unencrypted connection. */
  readonly tls: TlsConfig | null
}

export const MaxLatency = Type.Unsafe<string>({
  ...Duration,
  description: 'A success that takes longer carries a warning.',
})

export const User = Type.Unsafe<string>({ ...OpenOrSecretLine, description: 'The user to log in as.' })
export const Password = Type.Unsafe<string>({
  ...OneLineSecret,
  description: 'The password, as a credential.',
})
export const Tls = Type.Object(tlsOptions.properties, {
  additionalProperties: false,
  description: 'TLS options; if given, even empty, the connection uses TLS.',
})
export const IpFamily = oneOf(['any', 'ipv4', 'ipv6'], 'The IP family to connect over.', { default: 'any' })

/** The fields of a server's address and login. Schemas with these fields must go through oneServer. */
export function serverFields(protocol: Protocol) {
  return {
    url: Type.Optional(urlOf(protocol)),
    host: Type.Optional(Host),
    port: Type.Optional(
      Type.Unsafe<number>({ ...Port, description: `The port. Default: ${portsOf(protocol)}.` }),
    ),
    user: Type.Optional(User),
    password: Type.Optional(Password),
    tls: Type.Optional(Tls),
    family: Type.Optional(IpFamily),
    max_latency: Type.Optional(MaxLatency),
  }
}

/** Adds the rules that concern several fields: exactly one address, and a user if the protocol needs one. */
export function oneServer<Schema extends TObject>(schema: Schema, protocol: Protocol): Schema {
  return Type.Refine(
    schema,
    (config) => serverMistake(config, protocol) === null,
    (config) => serverMistake(config, protocol) ?? '',
  )
}

/** Credentials are still references here; only the check sees their values. */
type WrittenConfig = { readonly [Field in keyof ServerConfig]?: unknown }

function serverMistake({ url, host, port, user }: WrittenConfig, protocol: Protocol): string | null {
  if (url === undefined && host === undefined) return 'needs url or host'
  if (url !== undefined && host !== undefined) return 'has both url and host; give only one of them'
  if (url !== undefined && port !== undefined) return 'has both url and port; give the port in the url'
  const isNamed =
    user !== undefined || (typeof url === 'string' ? URL.parse(url)?.username !== '' : url !== undefined)
  return protocol.needsUser && !isNamed ? 'needs user' : null
}

/** A url of the protocol: in plain text without a password, or from a credential. */
export function urlOf(protocol: Protocol) {
  const open = Type.Refine(
    Type.String({ minLength: 1, maxLength: 8_192, secret: true }),
    (url) => openUrlMistake(url, protocol) === null,
    (url) => openUrlMistake(url, protocol) ?? '',
  )
  const form = `${schemesOf(protocol)[0]}://HOST:PORT${protocol.path === undefined ? '' : `/${protocol.path.toUpperCase()}`}`
  return Type.Unsafe<string>({
    anyOf: [open, Secret],
    description: `Where it is, as ${form}. With a password in it only as { credential: NAME }.`,
  })
}

function openUrlMistake(text: string, protocol: Protocol): string | null {
  const url = parseUrl(text, protocol)
  if (typeof url === 'string') return url
  if (url.password === '') return null
  return 'must not hold a password: write the whole url as { credential: NAME }, or use user and password'
}

function parseUrl(text: string, protocol: Protocol): URL | string {
  const url = URL.parse(text)
  const schemes = schemesOf(protocol)
  if (url === null || url.hostname === '' || !schemes.includes(url.protocol.slice(0, -1)))
    return `must be a url that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')} and names a host`
  if (url.search !== '' || url.hash !== '') return 'must not have options after ? or #; the check has its own'
  if (protocol.path === undefined && url.pathname.length > 1) return 'must end after the port'
  if (url.pathname.length > 1 && protocol.pathPattern?.test(url.pathname.slice(1)) === false)
    return `must name a valid ${protocol.path}`
  return url
}

/** Where to connect and as whom. Throws UnusableConfig if a credential does not hold a url of the protocol. */
export function serverOf(config: ServerConfig, protocol: Protocol): Server {
  const { user = null, password = null, tls = null, family = 'any' } = config
  if (config.url === undefined) {
    const port = config.port ?? (tls === null ? protocol.port : (protocol.securePort ?? protocol.port))
    return { host: config.host ?? '', port, family, user, password, path: null, tls }
  }
  const url = parseUrl(config.url, protocol)
  if (typeof url === 'string') throw new UnusableConfig(`the credential of url ${url}`)
  const isSecure = tls !== null || url.protocol === `${protocol.secureScheme}:`
  const usualPort = isSecure ? (protocol.securePort ?? protocol.port) : protocol.port
  return {
    // URLs write an IPv6 host in brackets, connections do not.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? usualPort : Number(url.port),
    family,
    user: user ?? decoded(url.username),
    password: password ?? decoded(url.password),
    path: decoded(url.pathname.slice(1)),
    tls: isSecure ? (tls ?? {}) : null,
  }
}

/** scheme://host:port, and what the path names; never user info. */
export function serverTarget(config: ServerConfig, protocol: Protocol, path?: string): string {
  try {
    const server = serverOf(config, protocol)
    const named = path ?? server.path
    const scheme = server.tls === null ? protocol.scheme : (protocol.secureScheme ?? protocol.scheme)
    const shown = named === null ? '' : `/${encodeURIComponent(named)}`
    return `${scheme}://${formatEndpoint(server.host, server.port)}${shown}`
  } catch {
    // A url that cannot be parsed may hold a secret anywhere.
    return `${protocol.scheme} at a url that cannot be read`
  }
}

function schemesOf({ scheme, otherSchemes = [], secureScheme }: Protocol): string[] {
  return [scheme, ...otherSchemes, ...(secureScheme === undefined ? [] : [secureScheme])]
}

function portsOf({ port, securePort }: Protocol): string {
  return securePort === undefined ? String(port) : `${port}, with TLS ${securePort}`
}

function decoded(part: string): string | null {
  if (part === '') return null
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
