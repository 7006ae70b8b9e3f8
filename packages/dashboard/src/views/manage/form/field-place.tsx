// views/manage/form/field-place.tsx: says where a field stands in the document, for what finds it on the page: the mistakes
// of a field are shown when it was left, and lead to it.
import type { ReactNode } from 'react'
import { type Path, pointerOf } from '../json.ts'
import styles from './form.module.css'

export function FieldPlace({ path, children }: { readonly path: Path; readonly children: ReactNode }) {
  return (
    <div className={styles.place} data-pointer={pointerOf(path)}>
      {children}
    </div>
  )
}
