// recovery/kubernetes/kubeconfig.ts: access from a kubeconfig: server, authority, and a token or a client certificate.
// What it does not support as kubectl does (exec plugins, proxies, impersonation, an unverified server) it refuses by
// name instead of ignoring it, because acting with the wrong identity is worse than not acting. A kubeconfig from a
// credential may not open files: its author may not be allowed to use the files of this machine.
import { dirname, resolve } from 'node:path'
import { load } from 'js-yaml'
import { accessOrReason, CannotAccess, type ClusterAccess, readSmallFile } from './cluster-access.ts'

type Fields = Readonly<Record<string, unknown>>

/** For the named context; null means the file's current one. */
export function readKubeconfig(path: string, context: string | null): Promise<ClusterAccess | CannotAccess> {
  return accessOrReason(async () => {
    const content = await readSmallFile(path)
    return await accessBy(new Kubeconfig(path, content, dirname(path)), context)
  })
}

/** The same for a kubeconfig given as text. */
export function parseKubeconfig(
  content: string,
  context: string | null,
): Promise<ClusterAccess | CannotAccess> {
  return accessOrReason(() => accessBy(new Kubeconfig('the kubeconfig', content, null), context))
}

async function accessBy(file: Kubeconfig, context: string | null): Promise<ClusterAccess> {
  const name = context ?? file.text(file.root, 'current-context')
  if (name === undefined) throw new CannotAccess(`${file.name} has no current context; name one`)
  const chosen = file.entry('contexts', 'context', name)
  const cluster = file.entry('clusters', 'cluster', file.text(chosen, 'cluster'))
  const user = file.text(chosen, 'user')
  return await accessOf(file, cluster, user === undefined ? {} : file.entry('users', 'user', user))
}

const REFUSED_OF_CLUSTER: Readonly<Record<string, string>> = {
  'insecure-skip-tls-verify': 'the server would not be verified; name its certificate-authority',
  'proxy-url': 'proxies are not supported',
}
const REFUSED_OF_USER: Readonly<Record<string, string>> = {
  exec: 'plugins that run a program are not supported; use a token or a client certificate',
  'auth-provider': 'plugins are not supported; use a token or a client certificate',
  username: 'passwords are not supported; use a token or a client certificate',
  as: 'impersonation is not supported',
  'as-uid': 'impersonation is not supported',
  'as-groups': 'impersonation is not supported',
  'as-user-extra': 'impersonation is not supported',
}

async function accessOf(file: Kubeconfig, cluster: Fields, user: Fields): Promise<ClusterAccess> {
  file.refuse(cluster, REFUSED_OF_CLUSTER)
  file.refuse(user, REFUSED_OF_USER)
  const server = URL.parse(file.text(cluster, 'server') ?? '')
  if (server === null || !/^https?:$/.test(server.protocol) || server.search !== '' || server.username !== '')
    throw new CannotAccess(`the server in ${file.name} is not an http or https URL`)
  const token = file.text(user, 'token') ?? (await file.contentOf(user, 'tokenFile'))?.trim() ?? null
  if (token !== null && server.protocol === 'http:')
    throw new CannotAccess(`${file.name} would send its token over plain http; the server must be https`)
  return {
    server: server.href.replace(/\/+$/, ''),
    token,
    tls: {
      ca: await file.contentOf(cluster, 'certificate-authority', 'certificate-authority-data'),
      certificate: await file.contentOf(user, 'client-certificate', 'client-certificate-data'),
      key: await file.contentOf(user, 'client-key', 'client-key-data'),
      serverName: file.text(cluster, 'tls-server-name'),
    },
  }
}

class Kubeconfig {
  /** The name of the kubeconfig in reasons. */
  readonly name: string
  readonly root: Fields
  /** The folder of the files that it names; null if it must not name any. */
  readonly #folder: string | null

  constructor(name: string, content: string, folder: string | null) {
    this.name = name
    this.#folder = folder
    this.root = fieldsOf(parsed(content)) ?? this.#isNone()
  }

  /** The entry of this name in one of the three lists. */
  entry(list: string, part: string, name: string | undefined): Fields {
    const entries = this.root[list]
    const found = Array.isArray(entries) ? entries.find((entry) => fieldsOf(entry)?.['name'] === name) : null
    const fields = fieldsOf(fieldsOf(found)?.[part])
    if (name === undefined || fields === null)
      throw new CannotAccess(`${this.name} has no ${part} ${JSON.stringify(name ?? '')}`)
    return fields
  }

  text(fields: Fields, name: string): string | undefined {
    const value = fields[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  /** The data in the file itself, which takes precedence, or the content of the file that it names. */
  async contentOf(fields: Fields, fileField: string, dataField?: string): Promise<string | undefined> {
    const data = dataField === undefined ? undefined : this.text(fields, dataField)
    if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8')
    const path = this.text(fields, fileField)
    if (path === undefined) return undefined
    if (this.#folder === null)
      throw new CannotAccess(
        `${this.name} names a file in ${fileField}; a kubeconfig from a credential must contain everything itself`,
      )
    // Relative to the folder of the kubeconfig, as in kubectl.
    return await readSmallFile(resolve(this.#folder, path))
  }

  refuse(fields: Fields, refused: Readonly<Record<string, string>>): void {
    for (const [name, words] of Object.entries(refused)) {
      const value = fields[name]
      if (value === undefined || value === null || value === false || value === '') continue
      throw new CannotAccess(`${this.name} uses ${name}: ${words}`)
    }
  }

  #isNone(): never {
    throw new CannotAccess(`${this.name} is not a kubeconfig`)
  }
}

function parsed(content: string): unknown {
  try {
    return load(content, { maxAliases: 100, maxDepth: 32 })
  } catch {
    // The parser's message quotes the line, which may be the one with the token.
    return null
  }
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}
