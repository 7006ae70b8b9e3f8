// kinds/field-error.ts: what is wrong with one field of a resource.
import { v2 } from '@pulseward/contract'
import type { FieldError } from '../config/shape/explain.ts'

export function rule(field: string, message: string): FieldError {
  return { field, reason: 'rule', message }
}

/** The ids in a list that do not exist. */
export function missingFrom<Kind extends v2.ResourceKind>(
  around: { has(kind: Kind, id: string): boolean },
  kind: Kind,
  ids: readonly string[] = [],
  pointer: string,
): FieldError[] {
  return ids.flatMap((id, index) => (around.has(kind, id) ? [] : [notThere(`${pointer}/${index}`, kind)]))
}

export function notThere(field: string, kind: v2.ResourceKind): FieldError {
  const [noun] = v2.kinds[kind].names
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a'
  return { field, reason: 'notFound', message: `names ${article} ${noun} that does not exist` }
}
