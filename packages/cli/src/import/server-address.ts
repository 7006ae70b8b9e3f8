// import/server-address.ts: splits connection strings of databases and brokers: where the server is, who logs
// in, and the password as a credential. Options that a fleet file cannot express are noted by name.
import type { Fields } from './fields.ts'
import { NotCarried } from './fleet-draft.ts'
import { splitAddress, stated } from './monitor-parts.ts'
import { decoded, type OpenText, type Secrets } from './secrets.ts'

export interface ServerParts {
  readonly host: string
  readonly port?: number | undefined
  readonly user?: OpenText | undefined
  readonly password?: { readonly credential: string } | undefined
  readonly tls?: object | undefined
  /** What the path names: a database or a virtual host. */
  readonly path: string | undefined
  /** The values of the known options. */
  readonly options: Readonly<Record<string, string>>
}

interface Reading {
  readonly owner: string
  readonly field: string
  readonly fields: Fields
  readonly secrets: Secrets
  /** Schemes that stand for TLS. */
  readonly secureSchemes?: readonly string[]
  readonly knownOptions?: readonly string[]
}

export function readServerUrl(text: string, schemes: readonly string[], reading: Reading): ServerParts {
  const { owner, field, fields, secrets, secureSchemes = [], knownOptions = [] } = reading
  const [, scheme = '', userInfo, address = '', path = '', query = ''] =
    /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?/is.exec(text) ?? []
  if (!schemes.includes(scheme.toLowerCase()))
    throw new NotCarried(
      field,
      `is not a URL that begins with ${schemes.map((name) => `${name}://`).join(' or ')}`,
    )
  if (address.includes(',')) throw new NotCarried(field, 'names several servers; a check asks one')
  const { host, port } = splitAddress(address)
  const [user = '', ...rest] = (userInfo ?? '').split(':')
  const password = decoded(rest.join(':'))
  const options: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    if (knownOptions.includes(name)) options[name] = value
    else fields.note(field, `has the option "${name}", which is not carried over`)
  }
  return {
    host,
    path: path === '' ? undefined : decoded(path),
    options,
    ...stated({
      port: port ?? undefined,
      user: user === '' ? undefined : secrets.open(owner, 'user', decoded(user)),
      password: password === '' ? undefined : secrets.secret(owner, 'password', password),
      tls: secureSchemes.includes(scheme.toLowerCase()) ? {} : undefined,
    }),
  }
}

/** The fields of a check, without those that the driver does not have. */
export function serverConfig({ host, port, user, password, tls }: ServerParts): object {
  return { host, ...stated({ port, user, password, tls }) }
}
