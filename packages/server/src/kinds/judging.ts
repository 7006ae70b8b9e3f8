// kinds/judging.ts: what is wrong with a resource whatever its kind, and how several judgements of one resource become one.
// No message repeats a value that was sent or that a credential holds.
import { derivedIdentityPrefix, identityOf } from '../config/fleet-file/identity.ts'
import type { FieldError } from '../config/shape/explain.ts'
import type { Json } from '../platform/json/json.ts'
import { rule } from './field-error.ts'
import { placeholdersIn } from './redact-config.ts'

/** The name is told apart by the document, which has it from the id where it is not given. */
export function idErrors(metadata: { readonly id: string; readonly name?: string }): FieldError[] {
  const { id, name } = metadata
  if (!id.startsWith(derivedIdentityPrefix)) return []
  if (name !== undefined && identityOf({ name }) === id) return []
  const message = `must be made from the name when it begins with "${derivedIdentityPrefix}": "${derivedIdentityPrefix}" and the SHA-256 of the name`
  return [rule('/metadata/id', message)]
}

/** What a reader was shown in place of secrets must not become the value. */
export function placeholderErrors(spec: object): FieldError[] {
  return placeholdersIn(spec as Json, '/spec').map((field) => ({
    field,
    reason: 'notAllowed',
    message: 'holds a placeholder, which readers see in place of a secret; send what it stands for',
  }))
}

/** What is said of a part in the words of v2 need not be said of the whole in those of a fleet file. */
export function notSaidBy(errors: readonly FieldError[]): (error: FieldError) => boolean {
  return ({ field }) => !errors.some((error) => error.field === field || error.field.startsWith(`${field}/`))
}

/** Two rules may say the same of one place. */
export function withoutRepeats(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.field} ${error.message}`, error])).values()]
}
