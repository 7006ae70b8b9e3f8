// views/manage/form/more.tsx: a part of a form that is closed until it is needed or has content.
import { type ReactNode, useState } from 'react'
import styles from './form.module.css'

export function More(props: {
  readonly isNeeded: boolean
  readonly words: string
  readonly children: ReactNode
}) {
  const [isOpen, setIsOpen] = useState(false)
  const isShown = isOpen || props.isNeeded
  return (
    <details
      className={styles.more}
      open={isShown}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{props.words}</summary>
      {/* Schemas are deep: closed parts are not rendered. */}
      {isShown && <div className={styles.fields}>{props.children}</div>}
    </details>
  )
}
