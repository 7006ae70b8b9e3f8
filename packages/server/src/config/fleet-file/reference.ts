// config/fleet-file/reference.ts: how things of a fleet are named, and so how they refer to each other.
import { Type } from '../../platform/schema-type.ts'

export const identityPattern = '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$'
export const identityInWords = 'at most 128 letters, digits and . _ : -, beginning with a letter or digit'

export const Reference = Type.String({
  pattern: identityPattern,
  description: `A name of this fleet: ${identityInWords}.`,
})

/** The same, with what it means where it stands. */
export function referenceTo(description: string) {
  return Type.String({ pattern: identityPattern, description })
}
