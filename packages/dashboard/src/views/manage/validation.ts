// views/manage/validation.ts: validation of a document by the service before it is written: the request, and
// what its answer means for the document.
import type { v2 } from '@pulseward/contract'
import type { V2Write, WriteOutcome } from '../../data/v2-request.ts'
import type { Json } from './json.ts'

export type Validation =
  | { readonly kind: 'none' | 'asking' }
  | { readonly kind: 'valid'; readonly outcome: string; readonly notes: readonly string[] }
  | { readonly kind: 'invalid'; readonly errors: readonly v2.FieldError[] }
  | { readonly kind: 'unavailable'; readonly sentence: string }

const prefix = '/items/0/resource'

/** Validates as a write would, but writes nothing. */
export function preflightOf(resource: Json): V2Write {
  const item = { id: 'draft', contentDigest: 'draft', source: 'dashboard', resource }
  return { method: 'POST', path: '/api/v2/collections/preflight', body: { items: [item] } }
}

export function validationOf(outcome: WriteOutcome<v2.Preflight>, isNew: boolean): Validation {
  if (outcome.kind === 'unknown') return { kind: 'unavailable', sentence: 'Pulseward does not answer.' }
  if (outcome.kind === 'refused')
    return outcome.errors.length > 0
      ? { kind: 'invalid', errors: inDocument(outcome.errors) }
      : { kind: 'unavailable', sentence: outcome.sentence }
  const { valid, errors = [], items = [], notes = [] } = outcome.body
  if (!valid) return { kind: 'invalid', errors: inDocument(errors) }
  const foreseen = items[0]?.outcome ?? ''
  if (isNew && foreseen !== 'created') return { kind: 'invalid', errors: [taken] }
  return { kind: 'valid', outcome: foreseen, notes: notes.map(({ message }) => message) }
}

const taken: v2.FieldError = { field: '/metadata/id', message: 'is taken already; choose another one' }

/** The service names paths in the request, of which the document is a part. */
function inDocument(errors: readonly v2.FieldError[]): readonly v2.FieldError[] {
  return errors.map((error) =>
    error.field.startsWith(prefix) ? { ...error, field: error.field.slice(prefix.length) } : error,
  )
}
