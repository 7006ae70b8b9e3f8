// api/v2/list-parameters.ts: the query of a v2 request. All mistakes are reported at once. An unknown
// parameter is refused, because ignoring a filter would show more than was asked for; so is a repeated one,
// because it is unclear which was meant.
import { v2 } from '@pulseward/contract'
import { didYouMean } from '../../platform/nearest-name.ts'
import { refusal, type V2FieldError, V2Problem } from '../../requests/v2-problem.ts'

export interface ListParameters {
  readonly limit: number
  readonly cursor: string | null
  /** Has no clauses if none was given. */
  readonly selector: v2.Selector
  readonly monitorID: string | null
  readonly state: v2.OperationState | null
  /** Moments, as milliseconds. */
  readonly from: number | null
  readonly to: number | null
  readonly at: number | null
  readonly endpoint: string | null
}

const noFilter = {
  limit: v2.limits.listLimitDefault,
  cursor: null,
  selector: [],
  monitorID: null,
  state: null,
  from: null,
  to: null,
  at: null,
  endpoint: null,
} as const

/** Works for any operation: one without parameters refuses all. */
export function readListParameters(operation: v2.V2Operation, search: string): ListParameters {
  if (search === '') return noFilter
  const given = new URLSearchParams(search)
  const mistakes: V2FieldError[] = []
  const known = Object.keys(operation.queryParameters?.properties ?? {})
  for (const name of new Set(given.keys())) {
    if (!known.includes(name)) mistakes.push(unknownParameter(name, known))
    else if (given.getAll(name).length > 1)
      mistakes.push({ field: name, reason: 'repeated', message: 'may be given only once' })
  }
  const read = new ParameterReader(given, mistakes)
  const parameters = {
    limit: read.limit(),
    cursor: read.text('cursor', v2.limits.cursorCharacters),
    selector: read.selector(),
    monitorID: read.text('monitorID', v2.limits.idCharacters),
    state: read.oneOf('state', v2.operationStates),
    from: read.moment('from'),
    to: read.moment('to'),
    at: read.moment('at'),
    endpoint: read.text('endpoint', v2.limits.idCharacters),
  }
  if (mistakes.length > 0) throw refusal('invalidParameter', 'query', mistakes)
  refuseOtherFilters(operation, parameters)
  return parameters
}

class ParameterReader {
  readonly #given: URLSearchParams
  readonly #mistakes: V2FieldError[]

  constructor(given: URLSearchParams, mistakes: V2FieldError[]) {
    this.#given = given
    this.#mistakes = mistakes
  }

  limit(): number {
    const { listLimit, listLimitDefault } = v2.limits
    const text = this.#given.get('limit')
    if (text === null) return listLimitDefault
    const limit = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
    if (limit >= 1 && limit <= listLimit) return limit
    const outside = limit < 1 ? 'tooSmall' : 'tooLarge'
    const reason = Number.isNaN(limit) ? 'malformed' : outside
    this.#wrong('limit', reason, `must be a whole number from 1 to ${listLimit}`)
    return listLimitDefault
  }

  text(name: 'cursor' | 'endpoint' | 'monitorID', maxLength: number): string | null {
    const text = this.#given.get(name)
    if (text === '') this.#wrong(name, 'tooShort', 'must not be empty')
    if (text !== null && text.length > maxLength)
      this.#wrong(name, 'tooLong', `must not have more than ${maxLength} characters`)
    return text
  }

  oneOf<Word extends string>(name: 'state', words: readonly Word[]): Word | null {
    const text = this.#given.get(name)
    const word = words.find((one) => one === text)
    if (text !== null && word === undefined)
      this.#wrong(name, 'notAllowed', `must be one of ${words.join(', ')}`)
    return word ?? null
  }

  moment(name: 'at' | 'from' | 'to'): number | null {
    const text = this.#given.get(name)
    if (text === null) return null
    const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:\d{2})$/.test(text)
      ? Date.parse(text)
      : Number.NaN
    if (!Number.isNaN(ms)) return ms
    this.#wrong(name, 'malformed', 'must be a moment as RFC 3339, such as 2026-03-29T01:00:00.000Z')
    return null
  }

  selector(): v2.Selector {
    const read = v2.parseSelector(this.#given.get('selector') ?? '')
    if ('selector' in read) return read.selector
    this.#wrong('selector', 'malformed', read.mistake)
    return []
  }

  #wrong(field: string, reason: v2.FieldReason, message: string): void {
    this.#mistakes.push({ field, reason, message })
  }
}

function unknownParameter(name: string, known: readonly string[]): V2FieldError {
  const message =
    known.length === 0
      ? 'is not known: this operation has no parameters'
      : `is not known; known are ${known.join(', ')}.${didYouMean(name, known)}`.replace(/\.$/, '')
  return { field: name.slice(0, 128), reason: 'unknownField', message }
}

function refuseOtherFilters({ filters = [] }: v2.V2Operation, { selector, monitorID }: ListParameters): void {
  const given: v2.ListFilter[] = [
    ...(selector.length === 0 ? [] : (['selector'] as const)),
    ...(monitorID === null ? [] : (['monitorID'] as const)),
  ]
  const errors = given
    .filter((filter) => !filters.includes(filter))
    .map((field) => ({ field, reason: 'misplaced' as const, message: 'cannot apply to this list' }))
  if (errors.length > 0) {
    const names = errors.map(({ field }) => field).join(' and ')
    throw new V2Problem('unsupportedFilter', `This list cannot be filtered by ${names}.`, { errors })
  }
}
