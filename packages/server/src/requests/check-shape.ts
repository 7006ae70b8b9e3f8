// requests/check-shape.ts: holds a body against a schema of the contract and names all mistakes at once. A right body
// passes a compiled validator and costs next to nothing; a wrong one is walked slowly and explained. The page of v2 tells two
// kinds apart: what cannot be understood (400) and what is understood and wrong (422). A body with both is 400.
import type { Static, TSchema } from 'typebox'
import { compileAccept } from '../config/fleet-file/accept.ts'
import { explainShape, type ShapeMistake } from './explain-shape.ts'
import { refusal, type V2Problem } from './v2-problem.ts'

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
  const mistakes = explainShape(schema, value)
  if (mistakes.length === 0) throw new Error('the compiled validator refuses what the schema allows')
  return mistakes
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
