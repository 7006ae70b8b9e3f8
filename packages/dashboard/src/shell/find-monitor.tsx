// shell/find-monitor.tsx: opens the command palette, by click or by key. The palette is loaded when it is needed.
import { lazy, Suspense, useMemo, useState } from 'react'
import styles from './find-monitor.module.css'
import { SearchIcon } from './icons.tsx'
import { type Key, useKeys } from './keys.ts'

const CommandPalette = lazy(() => import('./command-palette.tsx'))

export function FindMonitor() {
  const [isOpen, setIsOpen] = useState(false)
  useKeys(
    useMemo<readonly Key[]>(() => {
      const run = () => setIsOpen(true)
      return [
        { keys: 'Ctrl+k', does: 'Go to a view or a monitor', run },
        { keys: '/', does: 'Find a monitor', run },
      ]
    }, []),
  )
  return (
    <>
      <button
        type="button"
        className={styles.find}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setIsOpen(true)}
      >
        <SearchIcon />
        <span className={styles.words}>Find a monitor</span>
        <span className={styles.keys} aria-hidden="true">
          <kbd>Ctrl K</kbd>
        </span>
      </button>
      {isOpen && (
        <Suspense>
          <CommandPalette onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
