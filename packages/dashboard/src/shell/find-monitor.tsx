// shell/find-monitor.tsx: from anywhere to the list of monitors with a part of their name.
import { type FormEvent, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import styles from './find-monitor.module.css'
import { type Key, useKeys } from './keys.ts'

export function FindMonitor() {
  const [, navigate] = useLocation()
  const input = useRef<HTMLInputElement>(null)
  useKeys(
    useMemo<readonly Key[]>(() => {
      const run = () => input.current?.focus()
      return ['/', 'Ctrl+k'].map((keys) => ({ keys, does: 'Find a monitor', run }))
    }, []),
  )
  const find = (event: FormEvent) => {
    event.preventDefault()
    const words = input.current?.value.trim() ?? ''
    navigate(words === '' ? '/monitors' : `/monitors?${new URLSearchParams({ q: words })}`)
  }
  return (
    <search className={styles.find}>
      <form onSubmit={find}>
        <input
          ref={input}
          type="search"
          aria-label="Find a monitor by name"
          placeholder="Find a monitor"
          autoComplete="off"
          spellCheck={false}
        />
      </form>
      <kbd>/</kbd>
    </search>
  )
}
