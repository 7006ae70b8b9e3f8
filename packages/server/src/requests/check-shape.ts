// requests/check-shape.ts: holds a body against a schema of the contract and names all mistakes at once. A right body
// passes a compiled validator and costs next to nothing; a wrong one is walked slowly and explained. The page of v2 tells two
// kinds apart: what cannot be understood (400) and what is understood and wrong (422). A body with both is 400.
import { v2 } from '@pulseward/contract'
import type { Static, TSchema } from 'typebox'
import { compileAccept } from '../config/fleet-file/accept.ts'
import { asFieldError, mistakesOf } from '../config/shape/explain.ts'
import { pointerTo } from './json-pointer.ts'
import { refusal, type V2FieldError, type V2Problem } from './v2-problem.ts'

export interface ShapeMistake extends V2FieldError {
  /** A member too many or too few, or another JSON type: the body cannot be understood. */
  readonly isShape: boolean
}

const ofShape: ReadonlySet<v2.FieldReason> = new Set(['required', 'unknownField', 'wrongType'])
/** One more than an answer names: enough to say that there are more. */
const mostMistakes = v2.limits.problemErrors + 1

type Accept = (value: unknown) => boolean

/** A schema is compiled when it is first used: many operations have the same one, and some are never called. */
const compiled = new WeakMap<TSchema, Accept>()

function acceptOf(schema: TSchema): Accept {
  const known = compiled.get(schema) ?? compileAccept(schema)
  compiled.set(schema, known)
  return known
}

/** Nothing when the value fits. */
export function shapeMistakes(schema: TSchema, value: unknown): ShapeMistake[] {
  if (acceptOf(schema)(value)) return []
  const mistakes = mistakesOf(schema, value, [], { mostMistakes })
  if (mistakes.length === 0) throw new Error('the compiled validator refuses what the schema allows')
  return mistakes.map((mistake) => {
    const error = asFieldError(mistake, pointerTo)
    return { ...error, isShape: ofShape.has(error.reason) }
  })
}

/** The value, typed; throws a problem with every mistake. */
export function requireShape<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const mistakes = shapeMistakes(schema, value)
  if (mistakes.length > 0) throw shapeProblem(mistakes)
  return value as Static<Schema>
}

/** Also for mistakes that other rules have found: references, options of drivers. */
export function shapeProblem(mistakes: readonly ShapeMistake[]): V2Problem {
  const isUnderstood = mistakes.every(({ isShape }) => !isShape)
  return refusal(isUnderstood ? 'invalidResource' : 'invalidBody', 'body', mistakes)
}
