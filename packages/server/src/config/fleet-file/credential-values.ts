// config/fleet-file/credential-values.ts: checks that the values of credentials fit the fields that use them.
// Messages name the credential and never repeat any part of its value.
import { withoutSecrets } from '../../platform/redaction/redaction.ts'
import { isOneLine, OneLine } from '../../platform/schema.ts'
import { pushKeyInWords, pushKeyPattern } from '../push-key.ts'
import { type Mistake, mistakesOf } from '../shape/explain.ts'
import type { Path, Shape } from '../shape/shape.ts'
import { expectation, sentence, show } from '../shape/words.ts'
import { mapReferences, type PlacedReference, shapeAt } from './credential-places.ts'
import type { DriverShape } from './schema.ts'

/** A mistake in options and the reference that caused it; null if the options are only wrong as a whole. */
export interface ValueMistake extends Mistake {
  readonly reference: PlacedReference | null
  /** What the field takes; null if there is no reference. */
  readonly expected: string | null
}

/** The options with values filled in for all references outside secret fields, as far as the values exist. */
export interface OptionsWithValues {
  readonly config: object
  readonly filled: readonly (PlacedReference & { readonly value: string })[]
  /** References whose credential currently has no value. */
  readonly unfilled: readonly PlacedReference[]
}

export function withOpenValues(
  { config: schema }: DriverShape,
  config: object,
  readValue: (name: string) => string | null,
): OptionsWithValues {
  const filled: (PlacedReference & { value: string })[] = []
  const unfilled: PlacedReference[] = []
  const inPlace = mapReferences(schema, config, (reference) => {
    const written = { credential: reference.name }
    if (reference.isSecret) return written
    const value = readValue(reference.name)
    if (value === null) unfilled.push(reference)
    else filled.push({ ...reference, value })
    return value ?? written
  })
  return { config: inPlace as object, filled, unfilled }
}

/** Expects options that are valid apart from the values of their references. */
export function valueMistakes(
  shape: DriverShape,
  config: object,
  readValue: (name: string) => string | null,
): ValueMistake[] {
  return [...lineMistakes(shape, config, readValue), ...openValueMistakes(shape, config, readValue)]
}

/** What the field takes, if the value of its credential is something else. */
export function unmet({ oneLine = false, pushKey = false }: Marks, value: string | null): string | null {
  if (value === null) return null
  if (oneLine && !isOneLine(value)) return expectation(OneLine as Shape)
  return pushKey && !pushKeyPattern.test(value) ? pushKeyInWords : null
}

type Marks = { readonly oneLine?: boolean; readonly pushKey?: boolean }

/** Secrets that must be one line, or a key, but are not. */
function lineMistakes(
  { config: schema }: DriverShape,
  config: object,
  readValue: (name: string) => string | null,
): ValueMistake[] {
  const mistakes: ValueMistake[] = []
  mapReferences(schema, config, (reference) => {
    const { path, name } = reference
    const expected = unmet(reference, readValue(name))
    if (expected === null) return
    mistakes.push({ path, message: unfitting(name, expected), reference, expected })
  })
  return mistakes
}

/** The message about a value that does not fit its field. */
export function unfitting(name: string, expected: string): string {
  return sentence(`the value of the credential ${show(name)} does not fit; expected: ${expected}`)
}

/** The same, but only for fields that are not secret. */
export function openValueMistakes(
  shape: DriverShape,
  config: object,
  readValue: (name: string) => string | null,
): ValueMistake[] {
  const { config: inPlace, filled, unfilled } = withOpenValues(shape, config, readValue)
  if (filled.length === 0) return []
  const mistakes = mistakesOf(shape.config, inPlace).filter(({ path }) => !isWithinAny(path, unfilled))
  // A driver's own rules apply only to complete options.
  if (mistakes.length === 0 && unfilled.length === 0)
    mistakes.push(...(shape.inspect?.(inPlace).map((mistake): Mistake => mistake) ?? []))
  return mistakes.map((mistake) => unrevealing(shape, mistake, filled))
}

function unrevealing(
  { config: schema }: DriverShape,
  mistake: Mistake,
  filled: OptionsWithValues['filled'],
): ValueMistake {
  const reference = filled.find(({ path }) => isWithin(mistake.path, path)) ?? null
  if (reference === null) {
    const values = filled.map(({ value }) => value)
    return { ...mistake, message: withoutSecrets(mistake.message, values), reference, expected: null }
  }
  const { path, name, isSecret } = reference
  const expected = expectation(shapeAt(schema, path.map(String)) ?? {})
  return { path, message: unfitting(name, expected), reference: { path, name, isSecret }, expected }
}

function isWithinAny(path: Path, places: readonly { readonly path: Path }[]): boolean {
  return places.some((place) => isWithin(path, place.path))
}

function isWithin(path: Path, place: Path): boolean {
  return place.every((part, index) => path[index] === part)
}
