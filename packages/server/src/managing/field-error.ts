// managing/field-error.ts: what is wrong with one field of a resource.
import type { v2 } from '@pulseward/contract'
import type { Mistake, Path } from '../config/fleet-file/validate.ts'

export interface FieldError {
  /** A JSON pointer into the resource. */
  readonly field: string
  readonly reason: v2.FieldReason
  /** The rest of a sentence about the field, without its full stop. */
  readonly message: string
}

/** A mistake of a fleet file in the words of the API. */
export function asError(
  { path, lacks, reason, message, unshown }: Mistake,
  pointerTo: (path: Path) => string,
): FieldError {
  const field = pointerTo(lacks === undefined ? path : [...path, lacks])
  return { field, reason: reason ?? 'rule', message: (unshown ?? message).replace(/\.$/, '') }
}

export function rule(field: string, message: string): FieldError {
  return { field, reason: 'rule', message }
}

export function notThere(field: string, noun: string): FieldError {
  return { field, reason: 'notFound', message: `names ${noun} that does not exist` }
}
