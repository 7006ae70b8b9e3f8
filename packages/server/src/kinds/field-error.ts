// kinds/field-error.ts: what is wrong with one field of a resource.
import { v2 } from '@pulseward/contract'
import { missingName } from '../config/fleet-file/reference-words.ts'
import type { FieldError } from '../config/shape/explain.ts'
import type { Surroundings } from './surroundings.ts'

export function rule(field: string, message: string): FieldError {
  return { field, reason: 'rule', message }
}

/** Looking for the right name costs some comparisons with every known one, so it is done for so many of a list. */
const mostHints = 3

/** The ids in a list that do not exist. */
export function missingFrom<Kind extends v2.ResourceKind>(
  around: { has(kind: Kind, id: string): boolean } & Pick<Surroundings, 'someIds'>,
  kind: Kind,
  ids: readonly string[] = [],
  pointer: string,
): FieldError[] {
  const missing = [...ids.entries()].filter(([, id]) => !around.has(kind, id))
  return missing.map(([index, id], place) =>
    notThere(`${pointer}/${index}`, kind, id, place < mostHints ? around.someIds(kind) : null),
  )
}

/** Of a field that holds one id. */
export function missingOne<Kind extends v2.ResourceKind>(
  around: { has(kind: Kind, id: string): boolean } & Pick<Surroundings, 'someIds'>,
  kind: Kind,
  id: string | undefined,
  pointer: string,
): FieldError[] {
  return id === undefined || around.has(kind, id) ? [] : [notThere(pointer, kind, id, around.someIds(kind))]
}

export function notThere(
  field: string,
  kind: v2.ResourceKind,
  id: string,
  known: readonly string[] | null,
): FieldError {
  const [noun] = v2.kinds[kind].names
  const message = missingName(noun, id, known, kind !== 'Credential')
  return { field, reason: 'notFound', message: message.replace(/\.$/, '') }
}
