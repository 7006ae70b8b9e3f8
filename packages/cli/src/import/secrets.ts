// import/secrets.ts: takes secrets out of what is carried over. Each becomes a credential that a variable of the
// environment gives its value; values go to nobody but the file that --secrets names. Variables are named by whose they
// are and what they are for, such as FLEET_SHOP_PASSWORD.
import { v2 } from '@pulseward/contract'
import { slug, UniqueNames } from './ids.ts'

export interface CredentialReference {
  readonly credential: string
}

export type OpenText = string | CredentialReference

export interface Variable {
  readonly name: string
  /** Null when the source did not have it either. */
  readonly value: string | null
  /** Variables of the source that the value is put together from. */
  readonly madeOf: readonly string[]
}

/** As the fleet file has it. */
export type CredentialSource = { readonly env: string } | { readonly file: string }

/** Also what holds more than a secret: the rest of such a text is seldom worth being shown. */
const secretPart = /auth|passw|(^|[-_.])key/i
const secretParameter = /^(sig|code|pass|hash|access|key)$/i
const secretInBody = /passw|secret|token|api[-_]?key|authorization|credential/i
/** A long word of letters and digits in a path is a key more often than a page. */
const secretSegment = /^(?=(?:[^0-9]*[0-9]){4})(?=.*[A-Za-z])[A-Za-z0-9_:+-]{20,}={0,2}$/
/** A JSON Web Token: three parts, of which the first two are JSON in base64. */
const webToken = /^eyJ[\w-]*\.eyJ[\w-]*\.[\w-]*$/

function isSecretName(name: string): boolean {
  return v2.isSecretName(name) || secretPart.test(name)
}

/** Whether a part of a path or a parameter looks like a key. */
export function looksSecret(segment: string): boolean {
  const text = decoded(segment)
  return secretSegment.test(text) || webToken.test(text)
}

/** Percent escapes resolved; the text itself where they are not right. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** With room for a number within the 128 characters that a name may have. */
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

  /** expandsVariables: the source puts variables of its environment in place of $NAME and ${NAME}. */
  constructor({ expandsVariables = false } = {}) {
    this.#expandsVariables = expandsVariables
  }

  get credentials(): Record<string, CredentialSource> {
    return Object.fromEntries(this.#credentials)
  }

  /** The value of a credential; null when the source does not have it. */
  valueOf(name: string): string | null {
    const source = this.#credentials.get(name)
    return source !== undefined && 'env' in source ? (this.#variables.get(source.env)?.value ?? null) : null
  }

  get variables(): Variable[] {
    return [...this.#variables.values()]
  }

  /** A credential in any case. One value that stands in several places is one credential, named by the first. */
  secret(owner: string, purpose: string, text: string): CredentialReference {
    const names = this.#variablesIn(text)
    if (names.length === 1 && /^\$(\w+|\{\w+\})$/.test(text)) return this.#variable(names[0]!)
    const value = text.toWellFormed().replaceAll('\0', '')
    const key = `${purpose}\n${value}`
    const known = this.#byValue.get(key)
    if (known !== undefined) return known
    const name = this.#names.make(credentialName(owner, purpose))
    const env = `FLEET_${name.replaceAll('-', '_').toUpperCase()}`
    const isWhole = names.length === 0
    this.#variables.set(env, { name: env, value: isWhole ? this.#unescaped(value) : null, madeOf: names })
    this.#credentials.set(name, { env })
    const reference = { credential: name }
    this.#byValue.set(key, reference)
    return reference
  }

  /** A value that the source reads from a file, too. */
  file(owner: string, purpose: string, file: string): CredentialReference {
    const key = `file\n${file}`
    const known = this.#byValue.get(key)
    if (known !== undefined) return known
    const reference = { credential: this.#names.make(credentialName(owner, purpose)) }
    this.#credentials.set(reference.credential, { file })
    this.#byValue.set(key, reference)
    return reference
  }

  /** The text itself, unless variables of the source stand in it. */
  open(owner: string, purpose: string, text: string): OpenText {
    return this.#variablesIn(text).length > 0 ? this.secret(owner, purpose, text) : this.#unescaped(text)
  }

  /** Null where a field can only be written openly, and variables of the source stand in the text. */
  plain(text: string): string | null {
    return this.#variablesIn(text).length > 0 ? null : this.#unescaped(text)
  }

  /** A body of a request, or what is sent over a connection. */
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

  /** A URL; as a credential when its path or its parameters hold what looks like a secret. */
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
