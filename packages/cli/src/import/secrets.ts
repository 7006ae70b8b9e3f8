// import/secrets.ts: replaces secrets in what is carried over. Each becomes a credential whose value comes
// from an environment variable; values are written only to the file that --secrets names. Variables are named
// after their owner and purpose, such as FLEET_SHOP_PASSWORD.
import { v2 } from '@pulseward/contract'
import { slug, UniqueNames } from './ids.ts'

export interface CredentialReference {
  readonly credential: string
}

export type OpenText = string | CredentialReference

export interface Variable {
  readonly name: string
  /** Null if the source does not have it either. */
  readonly value: string | null
  /** Variables of the source that the value is composed of. */
  readonly madeOf: readonly string[]
}

/** As written in the fleet file. */
export type CredentialSource = { readonly env: string } | { readonly file: string }

/** Also matches values that only contain a secret: the rest of such a text is seldom worth showing. */
const secretPart = /auth|passw|(^|[-_.])key/i
const secretParameter = /^(sig|code|pass|hash|access|key)$/i
const secretInBody = /passw|secret|token|api[-_]?key|authorization|credential/i
/** A long word of letters and digits in a path is more often a key than a page. */
const secretSegment = /^(?=(?:[^0-9]*[0-9]){4})(?=.*[A-Za-z])[A-Za-z0-9_:+-]{20,}={0,2}$/
/** A JSON Web Token: three parts, the first two of which are JSON in base64. */
const webToken = /^eyJ[\w-]*\.eyJ[\w-]*\.[\w-]*$/

function isSecretName(name: string): boolean {
  return v2.isSecretName(name) || secretPart.test(name)
}

/** Whether a path segment or a parameter looks like a key. */
export function looksSecret(segment: string): boolean {
  const text = decoded(segment)
  return secretSegment.test(text) || webToken.test(text)
}

/** Decodes percent escapes; returns the text unchanged if they are invalid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Leaves room for a number within the 128 characters of a name. */
function credentialName(owner: string, purpose: string): string {
  return `${slug(owner, 'imported').slice(0, 70)}-${slug(purpose, 'secret').slice(0, 40)}`
}

export class Secrets {
  readonly #credentials = new Map<string, CredentialSource>()
  readonly #variables = new Map<string, Variable>()
  readonly #byValue = new Map<string, CredentialReference>()
  readonly #byVariable = new Map<string, CredentialReference>()
  readonly #names = new UniqueNames()
  readonly #expandsVariables: boolean

  /** `expandsVariables`: the source replaces $NAME and ${NAME} by variables of its environment. */
  constructor({ expandsVariables = false } = {}) {
    this.#expandsVariables = expandsVariables
  }

  get credentials(): Record<string, CredentialSource> {
    return Object.fromEntries(this.#credentials)
  }

  /** The value of a credential; null if the source does not have it. */
  valueOf(name: string): string | null {
    const source = this.#credentials.get(name)
    return source !== undefined && 'env' in source ? (this.#variables.get(source.env)?.value ?? null) : null
  }

  get variables(): Variable[] {
    return [...this.#variables.values()]
  }

  /** Always a credential. A value used in several places is one credential, named after the first. */
  secret(owner: string, purpose: string, text: string): CredentialReference {
    const names = this.#variablesIn(text)
    if (names.length === 1 && /^\$(\w+|\{\w+\})$/.test(text)) return this.#variable(names[0]!)
    const value = text.toWellFormed().replaceAll('\0', '')
    const key = `${purpose}\n${value}`
    const known = this.#byValue.get(key)
    if (known !== undefined) return known
    const isWhole = names.length === 0
    const reference = this.#named(owner, purpose, {
      value: isWhole ? this.#unescaped(value) : null,
      madeOf: names,
    })
    this.#byValue.set(key, reference)
    return reference
  }

  /** For a value that the source does not have: one variable for each owner and purpose. */
  unknown(owner: string, purpose: string): CredentialReference {
    const key = `unknown\n${owner}\n${purpose}`
    const known = this.#byValue.get(key)
    if (known !== undefined) return known
    const reference = this.#named(owner, purpose, { value: null, madeOf: [] })
    this.#byValue.set(key, reference)
    return reference
  }

  /** For a value that the source itself reads from a file. */
  file(owner: string, purpose: string, file: string): CredentialReference {
    const key = `file\n${file}`
    const known = this.#byValue.get(key)
    if (known !== undefined) return known
    const reference = { credential: this.#names.make(credentialName(owner, purpose)) }
    this.#credentials.set(reference.credential, { file })
    this.#byValue.set(key, reference)
    return reference
  }

  /** The text itself, unless it contains variables of the source. */
  open(owner: string, purpose: string, text: string): OpenText {
    return this.#variablesIn(text).length > 0 ? this.secret(owner, purpose, text) : this.#unescaped(text)
  }

  /** Null if the text contains variables of the source, for a field that cannot be a credential. */
  plain(text: string): string | null {
    return this.#variablesIn(text).length > 0 ? null : this.#unescaped(text)
  }

  /** The body of a request, or what is sent over a connection. */
  body(owner: string, text: string): OpenText {
    return secretInBody.test(text) ? this.secret(owner, 'body', text) : this.open(owner, 'body', text)
  }

  headers(owner: string, headers: Readonly<Record<string, string>>): Record<string, OpenText> {
    const entries = Object.entries(headers).map(([name, text]) => {
      const purpose = `header ${name}`
      return [name, isSecretName(name) ? this.secret(owner, purpose, text) : this.open(owner, purpose, text)]
    })
    return Object.fromEntries(entries)
  }

  /** A URL; a credential if its path or parameters contain what looks like a secret. */
  url(owner: string, text: string): OpenText {
    const url = this.#variablesIn(text).length > 0 ? null : URL.parse(this.#unescaped(text))
    if (url === null) return this.open(owner, 'url', text)
    const isSecret =
      url.username !== '' ||
      url.password !== '' ||
      [...url.searchParams].some(
        ([name, value]) => isSecretName(name) || secretParameter.test(name) || looksSecret(value),
      ) ||
      url.pathname.split('/').some(looksSecret) ||
      isSecretName(url.hash)
    return isSecret ? this.secret(owner, 'url', text) : this.#unescaped(text)
  }

  /** A new credential with a variable of its own. */
  #named(owner: string, purpose: string, variable: Omit<Variable, 'name'>): CredentialReference {
    const name = this.#names.make(credentialName(owner, purpose))
    const env = `FLEET_${name.replaceAll('-', '_').toUpperCase()}`
    this.#variables.set(env, { name: env, ...variable })
    this.#credentials.set(name, { env })
    return { credential: name }
  }

  #variable(name: string): CredentialReference {
    const known = this.#byVariable.get(name)
    if (known !== undefined) return known
    const reference = { credential: this.#names.make(slug(name, 'variable')) }
    this.#credentials.set(reference.credential, { env: name })
    this.#variables.set(name, { name, value: null, madeOf: [] })
    this.#byVariable.set(name, reference)
    return reference
  }

  #variablesIn(text: string): string[] {
    if (!this.#expandsVariables) return []
    const found = text.replaceAll('$$', '').matchAll(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g)
    return [...new Set([...found].map(([, braced, bare]) => braced ?? bare!))]
  }

  #unescaped(text: string): string {
    return this.#expandsVariables ? text.replaceAll('$$', '$') : text
  }
}
