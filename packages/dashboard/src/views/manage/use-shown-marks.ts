// views/manage/use-shown-marks.ts: which marks are shown. A form that nobody has filled in yet has mistakes in every field;
// a mistake is shown when its field was left, and all of them when saving was tried or the document is not new.
import { useCallback, useState } from 'react'
import { type Mark, marksOfLeft } from './marks.ts'

export function useShownMarks(all: readonly Mark[], isNew: boolean) {
  const [isTried, setIsTried] = useState(false)
  const [left, setLeft] = useState<readonly string[]>([])
  const leaveField = useCallback(
    (pointer: string) => setLeft((before) => (before.includes(pointer) ? before : [...before, pointer])),
    [],
  )
  const showAll = useCallback(() => setIsTried(true), [])
  return { marks: isNew && !isTried ? marksOfLeft(all, left) : all, leaveField, showAll }
}
