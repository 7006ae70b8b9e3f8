// components/popup.tsx: a button that shows a small box below it: a menu, or what a mark means. It closes with Escape, and
// when the focus or a click goes elsewhere.
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import styles from './popup.module.css'

export interface PopupProps {
  /** What the button is called, if its content is not text. */
  readonly label?: string
  readonly button: ReactNode
  readonly look?: 'button' | 'mark'
  readonly children: ReactNode
  /** A choice in it closes it. */
  readonly closesOnClick?: boolean
}

export function Popup({ label, button, look = 'button', children, closesOnClick = false }: PopupProps) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  const opener = useRef<HTMLSpanElement>(null)
  const close = useCallback(() => {
    setIsOpen(false)
    opener.current?.querySelector('button')?.focus()
  }, [])
  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: Event) => {
      if (!place.current?.contains(target as Node)) setIsOpen(false)
    }
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    document.addEventListener('keydown', closeByKey, true)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
      document.removeEventListener('keydown', closeByKey, true)
    }
  }, [isOpen, close])
  return (
    <span className={styles.place} ref={place}>
      <span ref={opener}>
        <Button
          weight={look === 'mark' ? 'quiet' : 'normal'}
          className={look === 'mark' ? (styles.mark ?? '') : ''}
          aria-label={label}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setIsOpen(!isOpen)}
        >
          {button}
        </Button>
      </span>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the choices in it are buttons.
        // biome-ignore lint/a11y/useKeyWithClickEvents: a button is clicked by Enter as well.
        <div id={id} className={styles.box} onClick={closesOnClick ? close : undefined}>
          {children}
        </div>
      )}
    </span>
  )
}

/** What a figure means, for whoever wants to know. */
export function Info({ about, children }: { readonly about: string; readonly children: ReactNode }) {
  return (
    <Popup look="mark" label={`What ${about} means`} button={<span aria-hidden="true">i</span>}>
      <p className={styles.words}>{children}</p>
    </Popup>
  )
}
