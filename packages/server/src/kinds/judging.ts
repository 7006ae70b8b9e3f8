// kinds/judging.ts: validation that is common to all kinds, and merging of several validations of one
// resource. No message repeats what an option or a credential holds: it may be a secret.
import { derivedIdentityPrefix, identityOf } from '../config/fleet-file/identity.ts'
import type { FieldError, Mistake, Voice } from '../config/shape/explain.ts'
import type { Json } from '../platform/json/json.ts'
import { rule } from './field-error.ts'
import { placeholdersIn } from './redact-config.ts'

/** Checks only the id: the name is validated with the document, which takes it from the id if absent. */
export function idErrors(metadata: { readonly id: string; readonly name?: string }): FieldError[] {
  const { id, name } = metadata
  if (!id.startsWith(derivedIdentityPrefix)) return []
  if (name !== undefined && identityOf({ name }) === id) return []
  const message = `must be made from the name when it begins with "${derivedIdentityPrefix}": "${derivedIdentityPrefix}" and the SHA-256 of the name`
  return [rule('/metadata/id', message)]
}

/** The placeholder that readers see for a secret must not become its value. */
export function placeholderErrors(spec: object): FieldError[] {
  return placeholdersIn(spec as Json, '/spec').map((field) => ({
    field,
    reason: 'notAllowed',
    message: 'holds a placeholder, which readers see in place of a secret; send what it stands for',
  }))
}

/** Anything in the options of a driver may be a secret, even where none belongs. */
export function voiceFor({ path }: Mistake): Voice {
  return path.includes('config') ? 'unshown' : 'shown'
}

/** An error about a part, in v2 terms, makes the one about the whole, in fleet file terms, superfluous. */
export function notSaidBy(errors: readonly FieldError[]): (error: FieldError) => boolean {
  return ({ field }) => !errors.some((error) => error.field === field || error.field.startsWith(`${field}/`))
}

/** Two rules may report the same error at one place. */
export function withoutRepeats(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.field} ${error.message}`, error])).values()]
}
