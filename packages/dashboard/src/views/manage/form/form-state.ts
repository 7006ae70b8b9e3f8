// views/manage/form/form-state.ts: what all fields of a form share: the document, how it is changed, and the marks on it.
import { createContext, useContext } from 'react'
import { type Json, type Path, pointerOf, valueAt } from '../json.ts'
import { type Mark, marksAt } from '../marks.ts'

export interface FormState {
  readonly document: Json
  /** Undefined removes the value, and parents that become empty beyond the first `kept` steps of the path. */
  readonly change: (path: Path, value: Json | undefined, kept?: number) => void
  readonly marks: readonly Mark[]
}

export const FormContext = createContext<FormState | null>(null)

export function useForm(): FormState {
  const form = useContext(FormContext)
  if (form === null) throw new Error('a field stands outside of a form')
  return form
}

export interface FieldState {
  readonly value: Json | undefined
  readonly set: (value: Json | undefined) => void
  readonly marks: readonly Mark[]
}

export function useField(path: Path, kept = 1): FieldState {
  const { document, change, marks } = useForm()
  return {
    value: valueAt(document, path),
    set: (value) => change(path, value, kept),
    marks: marksAt(marks, pointerOf(path)),
  }
}
