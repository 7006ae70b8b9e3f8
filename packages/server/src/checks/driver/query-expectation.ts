// checks/driver/query-expectation.ts: a query to a database and its expected answer: the value in the first
// column of the first row, as text, and the number of rows.
import { closed, type Infer } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { counted, quote } from '../../platform/wording.ts'
import { CheckFailure } from '../driver.ts'
import { discreetQuote } from './discreet-quote.ts'
import { assertion, fact, type Observe } from './observation.ts'

const Rows = Type.Integer({ minimum: 0, maximum: 1_000_000 })

const expectation = closed(
  {
    value: Type.Optional(
      Type.Unsafe<string | number | boolean>({
        anyOf: [Type.String({ maxLength: 4_096 }), Type.Number(), Type.Boolean()],
        description: 'The first value of the first row, as the database writes it.',
      }),
    ),
    min_rows: Type.Optional(Type.Unsafe<number>({ ...Rows, description: 'The fewest rows allowed.' })),
    max_rows: Type.Optional(Type.Unsafe<number>({ ...Rows, description: 'The most rows allowed.' })),
  },
  { description: 'What the answer to the query must be; by default any answer will do.' },
)

export const queryFields = {
  query: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 16_384,
      description: 'One statement to run after the login; none by default. Its answer may be up to 1 MiB.',
    }),
  ),
  expect: Type.Optional(expectation),
}

/** Rows of texts as the database sent them; null for its NULL. */
export type Rows = readonly (readonly (string | null)[])[]

/** Throws CheckFailure for the first expectation that is not met. */
export function requireRows(
  rows: Rows,
  expect: Infer<typeof expectation>,
  secret: string | null,
  observe: Observe,
): void {
  const { value, min_rows = 0, max_rows = Number.POSITIVE_INFINITY } = expect
  observe?.(observedRows(rows.length, expect))
  if (rows.length < min_rows)
    throw new CheckFailure(`the query gave ${counted(rows.length, 'row')}, fewer than ${min_rows}`)
  if (rows.length > max_rows)
    throw new CheckFailure(`the query gave ${counted(rows.length, 'row')}, more than ${max_rows}`)
  if (value === undefined) return
  const seen = rows[0]?.[0]
  const isRight = seen !== undefined && seen !== null && isSame(seen, value)
  if (isRight && observe === undefined) return
  const shown = seen === undefined ? 'no value' : seen === null ? 'NULL' : discreetQuote(seen, [secret])
  observe?.(assertion('first value', shown, quote(String(value)), isRight))
  if (isRight) return
  throw new CheckFailure(`the query gave ${shown} instead of ${quote(String(value))}`)
}

function observedRows(count: number, { min_rows, max_rows }: Infer<typeof expectation>) {
  if (min_rows === undefined && max_rows === undefined) return fact('rows', String(count))
  const isMet = count >= (min_rows ?? 0) && count <= (max_rows ?? Number.POSITIVE_INFINITY)
  return assertion('rows', String(count), `${min_rows ?? 0} to ${max_rows ?? 'any number'}`, isMet)
}

/** Databases write true as t or as 1. */
function isSame(seen: string, wanted: string | number | boolean): boolean {
  if (seen === String(wanted)) return true
  if (typeof wanted === 'boolean') return (wanted ? ['t', '1'] : ['f', '0']).includes(seen)
  return typeof wanted === 'number' && seen.trim() !== '' && Number(seen) === wanted
}
