// client/export/credential-names.ts: names the credentials of an exported fleet file, and the environment variable that
// has the value of each. Credentials of v2 and of fleet files are two namespaces, and a fleet file has one: if two have
// the same id, the one from a file is renamed. Only credentials that something refers to are named. Pure.

export type CredentialOrigin = 'api' | 'file'

export class CredentialNames {
  readonly #apiIds: ReadonlySet<string>
  readonly #names = new Map<string, string>()
  readonly #variables = new Map<string, string>()

  constructor(apiIds: Iterable<string>) {
    this.#apiIds = new Set(apiIds)
  }

  nameOf(origin: CredentialOrigin, id: string): string {
    const key = `${origin} ${id}`
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const taken = new Set([...this.#names.values(), ...this.#apiIds])
    const name = origin === 'api' || !taken.has(id) ? id : unique(`${id}.file`, taken, '.')
    this.#names.set(key, name)
    this.#variables.set(name, unique(variableOf(name), new Set(this.#variables.values()), '_'))
    return name
  }

  /** The section of the fleet file. */
  get credentials(): Readonly<Record<string, { readonly env: string }>> {
    return Object.fromEntries([...this.#variables].map(([name, env]) => [name, { env }]))
  }

  /** Credentials of files that were renamed, with their new names. */
  get renamed(): readonly (readonly [id: string, name: string])[] {
    return [...this.#names].flatMap(([key, name]) => {
      const [origin, id = ''] = key.split(' ')
      return origin === 'file' && id !== name ? [[id, name] as const] : []
    })
  }

  /** Credentials of v2 that nothing refers to. */
  get unused(): readonly string[] {
    return [...this.#apiIds].filter((id) => !this.#names.has(`api ${id}`))
  }
}

function variableOf(name: string): string {
  const text = name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
  return /^[0-9]/.test(text) ? `_${text}` : text
}

/** The limit for a name in a fleet file. */
const longestName = 128

function unique(wanted: string, taken: ReadonlySet<string>, separator: string): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `${separator}${number}`
    const name = wanted.slice(0, longestName - suffix.length) + suffix
    if (!taken.has(name)) return name
  }
}
