// import/cpra/checks.ts: converts the configuration of each type of pulse check to that of the
// check of the same name here.
import type { Fields } from '../fields.ts'
import { NotCarried } from '../fleet-draft.ts'
import { httpRequest } from '../http-check.ts'
import { splitAddress, stated } from '../monitor-parts.ts'
import type { Secrets } from '../secrets.ts'
import { readServerUrl, serverConfig } from '../server-address.ts'

interface Source {
  readonly fields: Fields
  readonly owner: string
  readonly secrets: Secrets
}

export const checks: Readonly<Record<string, (source: Source) => object>> = {
  http({ fields, owner, secrets }) {
    const status = fields.list('expected_status')
    const request = {
      url: fields.text('url') ?? missing('url'),
      method: fields.text('method'),
      headers: headersOf(fields),
      body: fields.text('body'),
    }
    return {
      ...httpRequest(request, owner, fields, secrets),
      ...stated({
        expect: status.length === 0 ? undefined : { status },
        tls: fields.flag('insecure_skip_verify') ? { verify: false } : undefined,
      }),
    }
  },
  tcp: ({ fields }) => hostAndPort(fields),
  icmp({ fields }) {
    fields.refuse('is decided by what the system permits', 'ignore_privilege')
    return { host: fields.text('host'), ...stated({ count: fields.number('count') || undefined }) }
  },
  dns: ({ fields }) => ({ host: fields.text('host'), ...stated({ server: fields.text('server') }) }),
  udp({ fields, owner, secrets }) {
    const payload = fields.text('payload')
    // CPRa waits for any answer.
    return {
      ...hostAndPort(fields),
      ...stated({ send: payload === undefined ? undefined : secrets.body(owner, payload) }),
      expect: '',
    }
  },
  grpc: ({ fields }) => ({ ...hostAndPort(fields), ...stated({ service: fields.text('service') }) }),
  docker: ({ fields }) => ({ container: fields.text('container') }),
  redis({ fields, owner, secrets }) {
    const { host, port } = splitAddress(fields.text('addr') ?? missing('addr'))
    return {
      host,
      ...stated({ port: port ?? undefined, ...login(fields, 'username', owner, secrets) }),
      ...stated({ database: fields.number('db') || undefined }),
    }
  },
  postgres: (source) => database(source, ['postgres', 'postgresql'], keywordDsn),
  mysql: (source) => database(source, ['mysql'], goDsn),
  mongo({ fields, owner, secrets }) {
    const text = fields.text('uri') ?? missing('uri')
    const reading = { owner, field: 'uri', fields, secrets, knownOptions: ['authSource'] }
    const server = readServerUrl(text, ['mongodb'], reading)
    return {
      ...serverConfig(server),
      ...stated({ database: server.path, auth_database: server.options['authSource'] }),
    }
  },
  rabbitmq({ fields, owner, secrets }) {
    const url = fields.text('url') ?? missing('url')
    return { url: url.includes('@') ? secrets.secret(owner, 'url', url) : url }
  },
  kafka: ({ fields }) => ({ brokers: fields.texts('brokers') }),
  tls({ fields }) {
    return {
      ...hostAndPort(fields),
      ...stated({
        server_name: fields.text('server_name'),
        warn_days: fields.number('warn_days') || undefined,
        critical_days: fields.number('critical_days') || undefined,
        verify: fields.flag('insecure_skip_verify') ? { chain: false, name: false } : undefined,
      }),
    }
  },
}

function missing(field: string): never {
  throw new NotCarried(field, 'it is missing')
}

function hostAndPort(fields: Fields): object {
  return { host: fields.text('host'), ...stated({ port: fields.number('port') || undefined }) }
}

function login(fields: Fields, user: string, owner: string, secrets: Secrets): object {
  const name = fields.text(user)
  const password = fields.text('password')
  return {
    user: name === undefined ? undefined : secrets.open(owner, 'user', name),
    password: password === undefined ? undefined : secrets.secret(owner, 'password', password),
  }
}

/** Older manifests have headers as a list of lines. */
function headersOf(fields: Fields): Record<string, string> {
  const written = fields.take('headers')
  if (typeof written !== 'string' && !Array.isArray(written)) return fields.textMap('headers')
  const lines = fields.texts('headers').map((line) => /^([^:]+):\s*(.*)$/s.exec(line))
  if (lines.includes(null)) fields.note('headers', 'have an entry that is not a header')
  return Object.fromEntries(lines.flatMap((line) => (line === null ? [] : [[line[1]!.trim(), line[2]!]])))
}

/** A DSN, or its parts in separate fields. */
function database(
  { fields, owner, secrets }: Source,
  schemes: readonly string[],
  asUrl: (dsn: string) => string,
): object {
  const dsn = fields.text('dsn')
  const sslMode = fields.text('sslmode')
  if (dsn === undefined) {
    const tls = tlsOfSslMode(sslMode, fields)
    const name = fields.text('database')
    return {
      ...hostAndPort(fields),
      ...stated({ ...login(fields, 'user', owner, secrets), database: name, tls }),
    }
  }
  const reading = { owner, field: 'dsn', fields, secrets, knownOptions: ['sslmode'] }
  const server = readServerUrl(asUrl(dsn), schemes, reading)
  const tls = tlsOfSslMode(server.options['sslmode'] ?? sslMode, fields)
  fields.refuse('is said by the dsn', 'host', 'port', 'user', 'password', 'database')
  return { ...serverConfig(server), ...stated({ database: server.path, tls }) }
}

/** The meaning of PostgreSQL's sslmode: no TLS, TLS with any certificate, or with a valid one. */
function tlsOfSslMode(mode: string | undefined, fields: Fields): object | undefined {
  if (mode === 'require') return { verify: false }
  if (mode === 'prefer' || mode === 'allow')
    fields.note(
      'sslmode',
      `is not carried over: ${mode} leaves it to the server, and a check asks without TLS`,
    )
  return mode === 'verify-ca' || mode === 'verify-full' ? {} : undefined
}

/** host=db port=5432 user=ward: the keyword form of PostgreSQL. */
function keywordDsn(dsn: string): string {
  if (dsn.includes('://')) return dsn
  const words = Object.fromEntries(
    [...dsn.matchAll(/(\w+)\s*=\s*(?:'([^']*)'|(\S+))/g)].map(([, key, quoted, bare]) => [
      key,
      quoted ?? bare ?? '',
    ]),
  )
  const { host = '', port, user, password, dbname = '', sslmode, ...options } = words
  return urlOf('postgres', {
    host,
    port,
    user,
    password,
    path: dbname,
    options: { ...options, ...stated({ sslmode }) },
  })
}

/** user:password@tcp(host:port)/database: the form of the Go driver for MySQL. */
function goDsn(dsn: string): string {
  if (/^mysql:\/\//i.test(dsn)) return dsn
  const [, login = '', address = '', path = '', query = ''] =
    /^(?:(.*)@)?tcp\(([^)]*)\)\/([^?]*)(?:\?(.*))?$/s.exec(dsn) ?? []
  const [user, ...password] = login.split(':')
  const options = Object.fromEntries(new URLSearchParams(query))
  return address === ''
    ? dsn
    : urlOf('mysql', { host: address, user, password: password.join(':'), path, options })
}

interface UrlParts {
  readonly host: string
  readonly port?: string | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
  readonly path: string
  readonly options: Readonly<Record<string, string | undefined>>
}

function urlOf(scheme: string, { host, port, user = '', password = '', path, options }: UrlParts): string {
  const login = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  const query = new URLSearchParams(options as Record<string, string>).toString()
  const address = port === undefined ? host : `${host}:${port}`
  return `${scheme}://${login}${address}/${encodeURIComponent(path)}${query === '' ? '' : `?${query}`}`
}
