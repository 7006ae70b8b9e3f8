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
  /** What is wrong, without its full stop; `sentenceOf` makes a sentence of it. */
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

/** Most messages go on where the name of the field ends; those with a subject of their own stand alone. */
export function sentenceOf(message: string): string {
  const words = /^(?:["\d]|there )/.test(message) ? message : `it ${message}`
  return /[.?]$/.test(words) ? words : `${words}.`
}

/** The marks of a field and of what is missing in it; deeper marks belong to the fields there. */
export function marksAt(marks: readonly Mark[], pointer: string): readonly Mark[] {
  return marks.filter((mark) => mark.pointer === pointer)
}

/** Whether a pointer is that of a field, or of something in it. */
export function isWithin(pointer: string, field: string): boolean {
  return pointer === field || pointer.startsWith(`${field}/`)
}

/** The marks of the fields at these pointers, and those that are not about a field or only warn. */
export function marksOfLeft(marks: readonly Mark[], left: readonly string[]): readonly Mark[] {
  return marks.filter(
    ({ level, pointer }) =>
      level === 'warning' || pointer === null || left.some((field) => isWithin(pointer, field)),
  )
}
