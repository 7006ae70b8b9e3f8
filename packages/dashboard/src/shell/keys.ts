// shell/keys.ts: the keys of the page. Views add theirs while they are shown; the help lists all that work
// now. Keys are ignored while the user types, and with a modifier unless the key names it.
import { useEffect } from 'react'
import { createStore, useStore } from '../store.ts'

export interface Key {
  /** As KeyboardEvent.key; two keys separated by a space are pressed one after the other; Ctrl+ is Control or Command. */
  readonly keys: string
  readonly does: string
  readonly run: () => void
  /** Whether the palette offers it too, by these words. */
  readonly isCommand?: boolean
}

const registered = createStore<readonly Key[]>([])
const sequenceMs = 1_000

/**
 * Registers keys while the component is mounted. `keys` must keep its identity between renders, or be built in useMemo.
 */
export function useKeys(keys: readonly Key[]): void {
  useEffect(() => {
    registered.set([...registered.get(), ...keys])
    return () => registered.set(registered.get().filter((key) => !keys.includes(key)))
  }, [keys])
}

export function useRegisteredKeys(): readonly Key[] {
  return useStore(registered)
}

/** The pressed key in the form of `Key.keys`; null if it must be ignored. */
export function pressed(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  isTyping: boolean,
): string | null {
  if (event.altKey) return null
  if (event.ctrlKey || event.metaKey) return `Ctrl+${event.key.toLowerCase()}`
  return isTyping ? null : event.key
}

/** The matching key, given what was pressed just before. The newest registration wins. */
export function keyFor(keys: readonly Key[], before: string | null, now: string): Key | undefined {
  return (
    keys.findLast((key) => before !== null && key.keys === `${before} ${now}`) ??
    keys.findLast((key) => key.keys === now)
  )
}

/** Returns the function that stops it. */
export function listenForKeys(): () => void {
  let before: { readonly name: string; readonly atMs: number } | null = null
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return
    const name = pressed(event, isTyping(event.target))
    if (name === null) return
    const recent = before !== null && event.timeStamp - before.atMs < sequenceMs ? before.name : null
    const key = keyFor(registered.get(), recent, name)
    before = key === undefined ? { name, atMs: event.timeStamp } : null
    if (key === undefined) return
    event.preventDefault()
    key.run()
  }
  document.addEventListener('keydown', listen)
  return () => document.removeEventListener('keydown', listen)
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]') !== null
  )
}
