// managing/write-refusal.ts: why a write was refused; nothing of it was written.
import type { FieldError } from '../config/shape/explain.ts'

export type RefusalCode =
  | 'notFound'
  | 'versionConflict'
  | 'managedByFile'
  | 'resourceReferenced'
  | 'invalidResource'
  | 'jobTypeImmutable'
  | 'unavailable'

export class WriteRefusal extends Error {
  readonly code: RefusalCode
  readonly errors: readonly FieldError[]
  constructor(code: RefusalCode, message: string, errors: readonly FieldError[] = []) {
    super(message)
    this.name = 'WriteRefusal'
    this.code = code
    this.errors = errors
  }
}
