// checks/domain/registration.ts: reads what a registry says about a domain in RDAP (RFC 9083). Registries differ: some give
// no date of expiry or withhold it, some spell statuses as EPP does, some send an error with status 200. Pure.
import { canonicalHostName } from '../../platform/network/host-name.ts'
import { onOneLine } from '../../platform/wording.ts'

export interface Registration {
  /** Null if the registry does not say. */
  readonly expiresAt: number | null
  /** As the registry spells them. */
  readonly statuses: readonly string[]
}

/** What the server says in an error object. */
export interface RdapError {
  readonly code: number | null
  readonly title: string | null
}

export type JsonObject = Readonly<Record<string, unknown>>

const MOST_STATUSES = 32
const LONGEST_STATUS = 64

/** Null if the text is not a JSON object. */
export function jsonObject(text: string): JsonObject | null {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return null
  }
}

export function errorIn(answer: JsonObject | null): RdapError {
  const { errorCode, title } = answer ?? {}
  return {
    code: typeof errorCode === 'number' ? errorCode : null,
    title: typeof title === 'string' && onOneLine(title) !== '' ? title : null,
  }
}

/** A sentence instead if the answer is not about the domain; `it` begins it. */
export function registrationIn(answer: JsonObject | null, name: string): Registration | string {
  if (answer?.['objectClassName'] !== 'domain') return 'does not answer in RDAP'
  const { ldhName } = answer
  if (typeof ldhName === 'string' && asciiName(ldhName) !== name) return 'answers about another domain'
  return { expiresAt: expiryOf(answer['events']), statuses: statusesOf(answer['status']) }
}

/** Whether one of the statuses says this, in RDAP's spelling or in that of EPP. */
export function saysStatus({ statuses }: Registration, ...sought: readonly string[]): string | null {
  const forms = sought.map(lettersOf)
  return statuses.find((status) => forms.includes(lettersOf(status))) ?? null
}

function asciiName(name: string): string | null {
  return canonicalHostName(name)?.replace(/\.$/, '') ?? null
}

/** The registry's own date decides; a registrar's is the next best. */
function expiryOf(events: unknown): number | null {
  const dates = new Map<string, number>()
  for (const event of Array.isArray(events) ? events : []) {
    const { eventAction, eventDate } = objectOf(event) ?? {}
    const at = typeof eventDate === 'string' ? instantOf(eventDate) : null
    if (typeof eventAction !== 'string' || at === null) continue
    const action = lettersOf(eventAction)
    dates.set(action, Math.min(at, dates.get(action) ?? at))
  }
  return dates.get('expiration') ?? dates.get('registrarexpiration') ?? null
}

/** Null for a text in place of a date, such as "REDACTED". A time without a zone is in UTC. */
function instantOf(text: string): number | null {
  const [, day, time, zone] =
    /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?\s*$/i.exec(text) ?? []
  if (day === undefined) return null
  const at = Date.parse(`${day}T${time ?? '00:00'}${zone?.toUpperCase() ?? 'Z'}`)
  return Number.isNaN(at) ? null : at
}

function statusesOf(value: unknown): string[] {
  const texts = (Array.isArray(value) ? value : [value]).slice(0, MOST_STATUSES)
  return texts.filter(
    (text): text is string =>
      typeof text === 'string' && text.length <= LONGEST_STATUS && lettersOf(text) !== '',
  )
}

/** "client transfer prohibited" and "clientTransferProhibited" are one status. */
function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, '')
}

function objectOf(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}
