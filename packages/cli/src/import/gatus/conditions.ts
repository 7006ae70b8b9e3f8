// import/gatus/conditions.ts: turns conditions such as "[STATUS] == 200" into the expectations of a check.
// All conditions of an endpoint must hold, in Gatus as here. A condition that a check cannot express is noted
// by its subject, without the value.
import { parseForeignDuration } from '../durations.ts'
import type { Fields } from '../fields.ts'
import { NotCarried } from '../fleet-draft.ts'
import { typedValue } from '../http-check.ts'
import type { EndpointSource } from './endpoint-source.ts'

export interface Condition {
  /** The left side, such as [BODY].status. */
  readonly subject: string
  readonly operator: string
  readonly value: string
}

/** Null if it is carried over; otherwise the reason why not. */
type Take = (condition: Condition) => string | null

export function parseCondition(text: string): Condition | null {
  const [, subject, operator, value] = /^\s*(\S.*?)\s*(==|!=|<=|>=|<|>)\s*(\S.*?)\s*$/s.exec(text) ?? []
  if (subject === undefined || operator === undefined || value === undefined) return null
  return { subject, operator, value }
}

/** Handles conditions that mean the same for every kind of endpoint; the others go to the kind's own function. */
export function takeConditions(
  texts: readonly string[],
  { fields, secrets }: Pick<EndpointSource, 'fields' | 'secrets'>,
  take: Take,
): void {
  for (const text of texts) {
    const plain = secrets.plain(text)
    const condition = parseCondition(plain ?? text)
    if (condition === null) {
      fields.note('conditions', 'have one that cannot be read; it is not carried over')
      continue
    }
    const reason = plain === null ? hasVariables : takeConnected(condition) ? null : take(condition)
    if (reason !== null) fields.note('conditions', `${named(condition)} is not carried over: ${reason}`)
  }
}

/** Names a condition by its subject. A reversed condition starts with its value, which is not repeated. */
function named({ subject }: Condition): string {
  return /^(len\(|has\()?\[[A-Z_]+\]/.test(subject) ? `the one on ${subject}` : 'one that begins with a value'
}

function takeConnected({ subject, operator, value }: Condition): boolean {
  if (subject !== '[CONNECTED]') return false
  const isWanted = (operator === '==') === (value === 'true')
  if (!isWanted)
    throw new NotCarried('conditions', 'they want that no connection can be made, which no check does')
  return true
}

export const notExpressible = 'no check here has such an expectation'
const hasVariables = 'it has variables, and expectations are written openly'

/** The statuses that all conditions allow; any status if there are none, as in Gatus. */
export class StatusExpectation {
  readonly #conditions: Condition[] = []

  take(condition: Condition): string | null {
    if (statusRule(condition) === null) return notExpressible
    this.#conditions.push(condition)
    return null
  }

  written(): (number | string)[] {
    const key = this.#conditions.map(({ operator, value }) => `${operator} ${value}`).join('\n')
    const known = knownStatuses.get(key)
    if (known !== undefined) return [...known]
    const ranges = statusRanges(this.#conditions.flatMap((condition) => statusRule(condition) ?? []))
    if (knownStatuses.size < mostKnownStatuses) knownStatuses.set(key, ranges)
    return [...ranges]
  }
}

/** Cached, since nearly all endpoints expect one of a few statuses. */
const knownStatuses = new Map<string, (number | string)[]>()
const mostKnownStatuses = 1_000

type StatusRule = (status: number) => boolean

function statusRanges(rules: readonly StatusRule[]): (number | string)[] {
  const ranges: [number, number][] = []
  for (let status = 100; status <= 999; status++) {
    if (!rules.every((allows) => allows(status))) continue
    const last = ranges.at(-1)
    if (last?.[1] === status - 1) last[1] = status
    else ranges.push([status, status])
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`))
}

function statusRule({ operator, value }: Condition): StatusRule | null {
  if (operator === '==' || operator === '!=') {
    const patterns = alternatives(value).map((one) => globPattern(one))
    const isAny = (status: number) => patterns.some((pattern) => pattern.test(String(status)))
    return operator === '==' ? isAny : (status) => !isAny(status)
  }
  const limit = Number(value)
  if (!Number.isFinite(limit)) return null
  const comparisons: Readonly<Record<string, StatusRule>> = {
    '<': (status) => status < limit,
    '<=': (status) => status <= limit,
    '>': (status) => status > limit,
    '>=': (status) => status >= limit,
  }
  return comparisons[operator] ?? null
}

/** The values of any(a, b), or the single value. */
function alternatives(value: string): string[] {
  const inside = /^any\((.*)\)$/s.exec(value)?.[1]
  return inside === undefined ? [value] : inside.split(',').map((one) => one.trim())
}

function globPattern(value: string): RegExp {
  const glob = globIn(value)
  return new RegExp(glob === null ? `^${escaped(value)}$` : globSource(glob), 's')
}

/** The pattern in pat(…); null for a value that is not a pattern. */
export function globIn(value: string): string | null {
  const inside = /^pat\((.*)\)$/s.exec(value)?.[1]
  return inside === undefined ? null : inside
}

/** A regular expression for a pattern in which * matches anything. */
function globSource(glob: string): string {
  return `^${glob.split('*').map(escaped).join('.*')}$`
}

/** RegExp.escape emits escapes that the linear-time engine of the checks does not support. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** The text in pat(*text*), for checks that search for text; null for other patterns. */
export function searchedText(value: string): string | null {
  return /^\*([^*]+)\*$/s.exec(globIn(value) ?? '')?.[1] ?? null
}

const kinds: Readonly<Record<string, string>> = { number: 'a number', boolean: 'a truth value' }

export class BodyExpectation {
  readonly #json: { path: string; equals: unknown }[] = []
  #regex: string | null = null
  #contains: string | null = null
  #notContains: string | null = null
  readonly #fields: Fields

  constructor(fields: Fields) {
    this.#fields = fields
  }

  take(condition: Condition): string | null {
    const { subject, operator, value } = condition
    const path = /^\[BODY\](.*)$/s.exec(subject)?.[1]
    if (path === undefined || /^(any|len|has)\(|^\[/.test(value)) return notExpressible
    return path === '' ? this.#takeWhole(operator, value) : this.#takeMember(path, condition)
  }

  written(): { body: object } | undefined {
    const body = {
      ...(this.#contains === null ? {} : { contains: this.#contains }),
      ...(this.#notContains === null ? {} : { not_contains: this.#notContains }),
      ...(this.#regex === null ? {} : { regex: this.#regex }),
      ...(this.#json.length === 0 ? {} : { json: this.#json }),
    }
    return Object.keys(body).length === 0 ? undefined : { body }
  }

  #takeWhole(operator: string, value: string): string | null {
    const text = searchedText(value)
    if (operator === '==' && text !== null && this.#contains === null) {
      this.#contains = text
      return null
    }
    if (operator === '!=' && text !== null && this.#notContains === null) {
      this.#notContains = text
      return null
    }
    if (operator !== '==' || this.#regex !== null) return notExpressible
    this.#regex = `(?s)${globIn(value) === null ? `^\\s*${escaped(value)}\\s*$` : globSource(globIn(value)!)}`
    return null
  }

  #takeMember(path: string, condition: Condition): string | null {
    const { operator, value } = condition
    if (operator !== '==' || globIn(value) !== null) return notExpressible
    if (!/^(\.[A-Za-z_][\w-]*|\[[0-9]+\])+$/.test(path)) return 'its path is not one that checks can follow'
    const steps = path.replace(/\.([\w-]*-[\w-]*)/g, "['$1']")
    const equals = typedValue(value)
    this.#json.push({ path: `$${steps}`, equals })
    // Gatus compares texts, so "7" and 7 are the same to it.
    if (typeof equals !== 'string')
      this.#fields.note(
        'conditions',
        `${named(condition)} wants ${kinds[typeof equals] ?? 'null'}, not a text that reads like it`,
      )
    return null
  }
}

/** The milliseconds in [RESPONSE_TIME] < 300; null for other comparisons. */
export function latencyLimit({ subject, operator, value }: Condition): number | null {
  if (subject !== '[RESPONSE_TIME]' || !['<', '<='].includes(operator)) return null
  const ms = /^[0-9]+$/.test(value) ? Number(value) : parseForeignDuration(value)
  return ms === null || ms < 1 ? null : ms
}

/** The whole days in [CERTIFICATE_EXPIRATION] > 48h, at least as strict; null for other comparisons. */
export function certificateDays({ subject, operator, value }: Condition): number | null {
  if (subject !== '[CERTIFICATE_EXPIRATION]' || !['>', '>='].includes(operator)) return null
  const ms = parseForeignDuration(value)
  return ms === null ? null : Math.ceil(ms / 86_400_000)
}
