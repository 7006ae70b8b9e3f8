// views/manage/marks.ts: all remarks about a document, each with its place in the form and its line in the
// text: what cannot be parsed, what the service refuses, what looks like a secret.
import type { v2 } from '@pulseward/contract'
import type { Draft } from './draft.ts'
import { secretSigns } from './secret-signs.ts'

export interface Mark {
  readonly level: 'mistake' | 'warning'
  /** A JSON pointer into the document; null for the text as a whole. */
  readonly pointer: string | null
  readonly line: number
  /** A whole sentence, except for the field that precedes it. */
  readonly message: string
}

export function marksOf({ read }: Draft, errors: readonly v2.FieldError[]): readonly Mark[] {
  if (!read.isRead) return [{ level: 'mistake', pointer: null, line: read.line, message: read.message }]
  const place = (pointer: string) => ({ pointer, line: read.lineOf(pointer) })
  const mistakes = errors.map(({ field, message }): Mark => ({ level: 'mistake', ...place(field), message }))
  const warnings = secretSigns(read.value).map(
    ({ pointer, message }): Mark => ({ level: 'warning', ...place(pointer), message }),
  )
  return [...mistakes, ...warnings].toSorted((one, other) => one.line - other.line)
}

/** The marks of a field and of what is missing in it; deeper marks belong to the fields there. */
export function marksAt(marks: readonly Mark[], pointer: string): readonly Mark[] {
  return marks.filter((mark) => mark.pointer === pointer)
}
