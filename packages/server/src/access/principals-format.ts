// access/principals-format.ts: the text of a principals file, parsed strictly and written in one form. Mistakes are
// reported with their place; values are never repeated, because a token may be where something else belongs.
import { countKeys, countKeysInJson } from '../config/fleet-file/duplicate-keys.ts'
import { localPlace } from '../config/local-place.ts'
import { quote } from '../platform/wording.ts'
import { type Role, roles } from './roles.ts'
import { holdsToken } from './token.ts'

export interface Principal {
  readonly name: string
  readonly role: Role
  /** `sha256:` and the hexadecimal SHA-256 of its token. */
  readonly digest: string
  /** Null if its token does not expire. */
  readonly expiresMs: number | null
  /** What a worker may run; empty for every other role. */
  readonly jobTypes: readonly string[]
  /** The locations that a probe may serve; absent for every other role. */
  readonly locations?: readonly string[]
}

export type ParsedPrincipals =
  | { readonly principals: readonly Principal[] }
  /** Each begins with its place. */
  | { readonly mistakes: readonly string[] }

const formatVersion = 1
const mostJobTypes = 256
const mostLocations = 64
/** The same rules as for resource ids. */
const id = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/
const idInWords = 'at most 128 letters, digits and . _ : -, beginning with a letter or digit'

/**
 * What is wrong with the name of a principal or the id of a job type, to follow the words that name it; null
 * if nothing is.
 */
export function idMistake(text: string): string | null {
  if (holdsToken(text)) return 'looks like a token; write an id instead'
  return id.test(text) ? null : `must be ${idInWords}`
}

export function parsePrincipals(text: string): ParsedPrincipals {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    // The parser's message quotes the text, so only the line is used.
    const [, line] = /\(line (\d+) column \d+\)/.exec((error as Error).message) ?? []
    return { mistakes: [line === undefined ? 'it is not JSON' : `line ${line}: it is not JSON`] }
  }
  const { result } = new Validation(document)
  // Only for a document of the right shape: counting recurses as deep as the document.
  if ('principals' in result && countKeysInJson(Buffer.from(text)) !== countKeys(document))
    return { mistakes: ['an object has the same field twice'] }
  return result
}

export function formatPrincipals(principals: readonly Principal[]): string {
  const entries = principals.map(({ name, role, digest, expiresMs, jobTypes, locations }) => ({
    name,
    role,
    digest,
    ...(expiresMs === null ? {} : { expires: new Date(expiresMs).toISOString() }),
    ...(role === 'worker' ? { jobTypes } : {}),
    ...(role === 'probe' ? { locations } : {}),
  }))
  return `${JSON.stringify({ version: formatVersion, principals: entries }, null, 2)}\n`
}

type Fields = Readonly<Record<string, unknown>>

/** One pass over a document that finds all its mistakes. */
class Validation {
  readonly result: ParsedPrincipals
  readonly #mistakes: string[] = []

  constructor(document: unknown) {
    const principals = this.#document(document)
    this.result = this.#mistakes.length > 0 ? { mistakes: this.#mistakes } : { principals }
  }

  #document(document: unknown): readonly Principal[] {
    if (!isObject(document)) {
      this.#mistakes.push('it must be an object with version and principals')
      return []
    }
    // Checked first and alone: nothing else is known about another version.
    if (document['version'] !== formatVersion) {
      this.#mistakes.push(`version: must be ${formatVersion}; a newer Pulseward may have written the file`)
      return []
    }
    this.#refuseOthers(document, ['version', 'principals'], '')
    const entries = document['principals']
    if (!Array.isArray(entries)) {
      this.#mistakes.push('principals: must be a list')
      return []
    }
    const principals = entries.map((entry, index) => this.#principal(entry, `principals[${index}]`))
    this.#refuseDoubles(principals, 'name', 'names must be unique')
    this.#refuseDoubles(principals, 'digest', 'every principal needs its own token')
    return principals.filter((principal) => principal !== null)
  }

  /** Null if it is not even an object. */
  #principal(entry: unknown, at: string): Principal | null {
    if (!isObject(entry)) {
      this.#mistakes.push(`${at}: must be an object with name, role and digest`)
      return null
    }
    this.#refuseOthers(entry, ['name', 'role', 'digest', 'expires', 'jobTypes', 'locations'], `${at}.`)
    const role = roles.find((one) => one === entry['role'])
    if (role === undefined) this.#mistakes.push(`${at}.role: must be reader, operator, worker or probe`)
    return {
      name: this.#id(entry['name'], `${at}.name`),
      role: role ?? 'reader',
      digest: this.#digest(entry['digest'], `${at}.digest`),
      expiresMs: this.#expiry(entry['expires'], `${at}.expires`),
      jobTypes: this.#jobTypes(entry['jobTypes'], role, `${at}.jobTypes`),
      ...this.#locations(entry['locations'], role, `${at}.locations`),
    }
  }

  #id(value: unknown, at: string): string {
    const text = typeof value === 'string' ? value : ''
    const mistake = idMistake(text)
    if (mistake !== null) this.#mistakes.push(`${at}: ${mistake}`)
    return text
  }

  #digest(value: unknown, at: string): string {
    if (typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value)) return value
    this.#mistakes.push(`${at}: must be sha256: and 64 hexadecimal digits in lower case`)
    return ''
  }

  #expiry(value: unknown, at: string): number | null {
    if (value === undefined) return null
    const expiresMs = typeof value === 'string' ? momentMs(value) : null
    if (expiresMs === null)
      this.#mistakes.push(`${at}: must be a moment in UTC, such as 2027-01-31T12:00:00Z`)
    return expiresMs
  }

  #jobTypes(value: unknown, role: Role | undefined, at: string): readonly string[] {
    if (role !== 'worker') {
      if (value !== undefined && role !== undefined) this.#mistakes.push(`${at}: only a worker has job types`)
      return []
    }
    if (!Array.isArray(value) || value.length === 0 || value.length > mostJobTypes) {
      this.#mistakes.push(`${at}: a worker needs a list of 1 to ${mostJobTypes} job types`)
      return []
    }
    const ids = value.map((one, index) => this.#id(one, `${at}[${index}]`))
    if (new Set(ids).size < ids.length) this.#mistakes.push(`${at}: lists a job type twice`)
    return ids
  }

  #locations(value: unknown, role: Role | undefined, at: string): Pick<Principal, 'locations'> {
    if (role !== 'probe') {
      if (value !== undefined && role !== undefined) this.#mistakes.push(`${at}: only a probe has locations`)
      return {}
    }
    if (!Array.isArray(value) || value.length === 0 || value.length > mostLocations) {
      this.#mistakes.push(`${at}: a probe needs a list of 1 to ${mostLocations} locations`)
      return {}
    }
    const locations = value.map((one, index) => this.#id(one, `${at}[${index}]`))
    if (new Set(locations).size < locations.length) this.#mistakes.push(`${at}: lists a location twice`)
    if (locations.includes(localPlace))
      this.#mistakes.push(`${at}: ${localPlace} is the service itself, which no probe serves`)
    return { locations }
  }

  #refuseOthers(fields: Fields, known: readonly string[], at: string): void {
    for (const field of Object.keys(fields)) {
      if (known.includes(field)) continue
      const shown = holdsToken(field) ? 'a token' : quote(field)
      this.#mistakes.push(`${at}${shown}: there is no such field; known are ${known.join(', ')}`)
    }
  }

  #refuseDoubles(principals: readonly (Principal | null)[], field: 'name' | 'digest', why: string): void {
    const first = new Map<string, number>()
    for (const [index, principal] of principals.entries()) {
      const value = principal?.[field] ?? ''
      // Already reported.
      if (value === '') continue
      const before = first.get(value)
      if (before === undefined) first.set(value, index)
      else
        this.#mistakes.push(
          `principals[${index}].${field}: has the same ${field} as principals[${before}]; ${why}`,
        )
    }
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Null unless the text is an RFC 3339 time in UTC, on a day that its month has. */
function momentMs(text: string): number | null {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) return null
  const written = new Date(ms).toISOString()
  return text === written || text === written.replace('.000Z', 'Z') ? ms : null
}
