// components/dialog.tsx: a native modal dialog with a heading. It is open while it is mounted; the browser
// keeps the focus in it and returns it afterwards. Escape and a click outside close it.
import { type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './dialog.module.css'

export interface DialogProps {
  readonly title: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  readonly isWide?: boolean
}

export function Dialog({ title, onClose, children, isWide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      className={`${styles.dialog} ${isWide ? styles.wide : ''}`}
      ref={dialog}
      onClose={onClose}
      aria-labelledby={id}
      closedby="any"
    >
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {children}
    </dialog>
  )
}

/** The buttons at the end. */
export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}
