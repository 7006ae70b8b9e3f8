// store/postgres/address.ts: the URL of a PostgreSQL store: where the database is, who logs in, how the connection is
// secured, and the schema of the tables. The password stays in here: everything shown to people is `shown`.
import { readFileSync } from 'node:fs'
import { UsageError } from '../../platform/usage-error.ts'

export interface PostgresHost {
  /** A name, an address, or the folder of a socket. */
  readonly host: string
  readonly port: number
}

export interface PostgresAddress {
  /** In the order in which they are tried: the first that accepts writes is used. */
  readonly hosts: readonly PostgresHost[]
  readonly user: string
  readonly database: string
  readonly schema: string
  readonly sslMode: SslMode
  readonly sslFiles: SslFiles
  /** Null if the URL has none. */
  readonly password: string | null
  /** The URL without password and files, for people. */
  readonly shown: string
}

export interface SslFiles {
  readonly sslrootcert?: string
  readonly sslcert?: string
  readonly sslkey?: string
}

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const
export type SslMode = (typeof sslModes)[number]

const parameters = ['host', 'schema', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']
const defaultPort = 5432
/** PostgreSQL cuts longer names silently. */
const longestName = 63
const urlForm = 'postgres://USER@HOST/DATABASE'

export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text)
}

/** Throws a UsageError that never contains the password. */
export function parsePostgresUrl(text: string): PostgresAddress {
  const parts = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(text)
  if (parts === null) throw new UsageError(`The URL of the store is not of the form ${urlForm}.`)
  const [, login = '', authority = '', path = '', query = ''] = parts
  const [user = '', ...passwordParts] = login.split(':')
  const options = new URLSearchParams(query)
  for (const name of options.keys())
    if (!parameters.includes(name))
      throw new UsageError(
        `The URL of the store has the parameter ${name}, which is unknown; it may have ${parameters.join(', ')}.`,
      )
  const hosts = hostsOf(authority === '' ? (options.get('host') ?? 'localhost') : authority)
  const name = decoded(user)
  if (name === '') throw new UsageError(`The URL of the store names no user: ${urlForm}.`)
  const database = decoded(path) || name
  const schema = options.get('schema') ?? 'pulseward'
  if (
    schema === '' ||
    Buffer.byteLength(schema) > longestName ||
    schema.startsWith('pg_') ||
    schema.includes('\0')
  )
    throw new UsageError('The schema in the URL of the store is not a name that PostgreSQL accepts.')
  return {
    hosts,
    user: name,
    database,
    schema,
    sslMode: sslModeOf(options.get('sslmode'), hosts),
    sslFiles: Object.fromEntries(
      ['sslrootcert', 'sslcert', 'sslkey'].flatMap((file) => {
        const value = options.get(file)
        return value === null ? [] : [[file, value]]
      }),
    ),
    password: passwordParts.length === 0 ? null : decoded(passwordParts.join(':')),
    shown: `postgres://${encodeURIComponent(name)}@${hosts.map(shownHost).join(',')}/${encodeURIComponent(database)}${schema === 'pulseward' ? '' : `?schema=${encodeURIComponent(schema)}`}`,
  }
}

/** The URL without its password; null if it cannot be read. */
export function withoutPassword(text: string): string | null {
  try {
    return parsePostgresUrl(text).shown
  } catch {
    return null
  }
}

/** What TLS needs besides the server's name; null for an unencrypted connection. Read anew for each connection. */
export function sslOptions({ sslMode, sslFiles }: PostgresAddress): object | null {
  if (sslMode === 'disable') return null
  const file = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path, 'utf8'))
  return {
    ca: file(sslFiles.sslrootcert),
    cert: file(sslFiles.sslcert),
    key: file(sslFiles.sslkey),
    rejectUnauthorized: sslMode !== 'require',
    ...(sslMode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  }
}

function hostsOf(authority: string): PostgresHost[] {
  return authority.split(',').map((one) => {
    const parts = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(one)
    const port = Number(parts?.[2] ?? defaultPort)
    if (parts === null || port < 1 || port > 65_535)
      throw new UsageError('The URL of the store has a host that is not of the form NAME or NAME:PORT.')
    return { host: decoded(parts[1]!).replace(/^\[|\]$/g, ''), port }
  })
}

function sslModeOf(written: string | null, hosts: readonly PostgresHost[]): SslMode {
  if (written === null) return hosts.every(({ host }) => isLocal(host)) ? 'disable' : 'verify-full'
  const mode = sslModes.find((known) => known === written)
  if (mode === undefined)
    throw new UsageError(`The URL of the store has an sslmode that is not one of ${sslModes.join(', ')}.`)
  return mode
}

function isLocal(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

export function shownHost({ host, port }: PostgresHost): string {
  const name = host.includes(':') ? `[${host}]` : host.startsWith('/') ? encodeURIComponent(host) : host
  return port === defaultPort ? name : `${name}:${port}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new UsageError('The URL of the store has a % that is not followed by two hexadecimal digits.')
  }
}
