// requests/check-shape.ts: validates a body against a schema of the contract and reports all mistakes at
// once. A valid body passes a compiled validator at almost no cost; an invalid one is walked slowly and
// explained. The page of v2 distinguishes bodies that cannot be understood (400) from those that are
// understood but wrong (422). A body with both is 400.
import { v2 } from '@pulseward/contract'
import type { Static, TSchema } from 'typebox'
import { compileAccept } from '../config/fleet-file/accept.ts'
import { asFieldError, mistakesOf } from '../config/shape/explain.ts'
import { pointerTo } from './json-pointer.ts'
import { refusal, type V2FieldError, type V2Problem } from './v2-problem.ts'

export interface ShapeMistake extends V2FieldError {
  /** The body cannot be understood: a member is unknown or missing, or has another JSON type. */
  readonly isShape: boolean
}

const ofShape: ReadonlySet<v2.FieldReason> = new Set(['required', 'unknownField', 'wrongType'])
/** One more than an answer lists, which is enough to know that there are more. */
const mostMistakes = v2.limits.problemErrors + 1

type Accept = (value: unknown) => boolean

/** Compiled on first use: many operations share a schema, and some are never called. */
const compiled = new WeakMap<TSchema, Accept>()

function acceptOf(schema: TSchema): Accept {
  const known = compiled.get(schema) ?? compileAccept(schema)
  compiled.set(schema, known)
  return known
}

/** Empty if the value fits. */
export function shapeMistakes(schema: TSchema, value: unknown): ShapeMistake[] {
  if (acceptOf(schema)(value)) return []
  const mistakes = mistakesOf(schema, value, [], { mostMistakes })
  if (mistakes.length === 0) throw new Error('the compiled validator refuses what the schema allows')
  return mistakes.map((mistake) => {
    const error = asFieldError(mistake, pointerTo)
    return { ...error, isShape: ofShape.has(error.reason) }
  })
}

/** The value, typed. Throws a problem with every mistake. */
export function requireShape<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const mistakes = shapeMistakes(schema, value)
  if (mistakes.length > 0) throw shapeProblem(mistakes)
  return value as Static<Schema>
}

/** Also for mistakes found by other rules: references, options of drivers. */
export function shapeProblem(mistakes: readonly ShapeMistake[]): V2Problem {
  const isUnderstood = mistakes.every(({ isShape }) => !isShape)
  return refusal(isUnderstood ? 'invalidResource' : 'invalidBody', 'body', mistakes)
}
