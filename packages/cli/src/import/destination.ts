// import/destination.ts: helpers for the tables that turn the notifiers of other programs into endpoints:
// each entry reads the fields that it knows, and the rest is noted.
import { entryOf, type Fields, noCounterpart } from './fields.ts'
import { type DraftEndpoint, type FleetDraft, NotCarried } from './fleet-draft.ts'
import { splitAddress, stated } from './monitor-parts.ts'
import type { CredentialReference, OpenText, Secrets } from './secrets.ts'

export type DestinationTable = Readonly<Record<string, (fields: DestinationFields) => DraftEndpoint>>

export class DestinationFields {
  readonly fields: Fields
  readonly #owner: string
  readonly #secrets: Secrets

  constructor(fields: Fields, owner: string, secrets: Secrets) {
    this.fields = fields
    this.#owner = owner
    this.#secrets = secrets
  }

  secret(key: string, purpose: string): CredentialReference {
    return this.maybeSecret(key, purpose) ?? this.#missing(key)
  }

  maybeSecret(key: string, purpose: string): CredentialReference | undefined {
    const text = this.fields.text(key)
    return text === undefined ? undefined : this.#secrets.secret(this.#owner, purpose, text)
  }

  /** A secret that the source keeps elsewhere. */
  secretOf(owner: string, purpose: string, text: string): CredentialReference {
    return this.#secrets.secret(owner, purpose, text)
  }

  /** A value that the source does not have: a variable to set. */
  unknown(owner: string, purpose: string): CredentialReference {
    return this.#secrets.unknown(owner, purpose)
  }

  open(key: string, purpose: string): OpenText {
    return this.maybeOpen(key, purpose) ?? this.#missing(key)
  }

  maybeOpen(key: string, purpose: string): OpenText | undefined {
    const text = this.fields.text(key)
    return text === undefined ? undefined : this.#secrets.open(this.#owner, purpose, text)
  }

  maybeUrl(key: string): OpenText | undefined {
    const text = this.fields.text(key)
    return text === undefined ? undefined : this.#secrets.url(this.#owner, text)
  }

  url(key: string): OpenText {
    return this.maybeUrl(key) ?? this.#missing(key)
  }

  headers(headers: Readonly<Record<string, string>>): { headers?: Record<string, OpenText> } {
    return Object.keys(headers).length === 0 ? {} : { headers: this.#secrets.headers(this.#owner, headers) }
  }

  /** Telegram has numbers for chats and names for public channels. */
  chatId(key: string): number | OpenText {
    const text = this.open(key, 'chat')
    return typeof text === 'string' && /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text
  }

  /** Comma-separated. */
  addresses(key: string): string[] {
    const text = this.fields.text(key) ?? this.#missing(key)
    if (this.#secrets.plain(text) === null)
      throw new NotCarried(key, 'it has variables, and addresses are written openly')
    return text
      .split(/[,;]/)
      .map((address) => bareAddress(address))
      .filter((address) => address !== '')
  }

  refuse(...keys: string[]): void {
    this.fields.refuse(noCounterpart, ...keys)
  }

  /** Called for a required field that is missing. */
  #missing(key: string): never {
    throw new NotCarried(key, 'it is missing')
  }
}

/** Removes the name before an address in angle brackets. */
export function bareAddress(text: string): string {
  return (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim()
}

/** host or host:port. */
export function mailServer(text: string): { host: string; port?: number } {
  const { host, port } = splitAddress(text)
  return { host, ...stated({ port: port ?? undefined }) } as { host: string; port?: number }
}

/** The id of the endpoint; null if it is not carried over, which is noted. */
export function carryDestination(
  draft: FleetDraft,
  table: DestinationTable,
  { name, type, fields }: { name: string; type: string; fields: Fields },
): string | null {
  let id: string | null = null
  draft.carry(fields, () => {
    const read = entryOf(table, type)
    if (read === undefined)
      throw new NotCarried('', `there is no notifier for ${type === '' ? 'it' : `"${type}"`}`)
    id = draft.endpoint(name, read(new DestinationFields(fields, name, draft.secrets)), fields)
  })
  return id
}
