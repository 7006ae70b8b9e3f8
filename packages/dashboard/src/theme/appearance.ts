// theme/appearance.ts: System, Light or Dark. System omits the attribute and so follows the operating system live; an
// explicit choice is kept in local storage, where theme.js finds it before the first paint, and other tabs follow it.
import { createStore, useStore } from '../store.ts'

export const appearances = ['system', 'light', 'dark'] as const
export type Appearance = (typeof appearances)[number]

/** public/theme.js reads the same key. */
const key = 'pulseward.appearance'
const darkPreference = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-color-scheme: dark)')

const choice = createStore<Appearance>(stored())
const systemIsDark = createStore(darkPreference?.matches ?? false)

/** Canvases do not follow print styles, so they are repainted for paper. */
const paper = typeof matchMedia === 'undefined' ? null : matchMedia('print')
const isPrinting = createStore(paper?.matches ?? false)

paper?.addEventListener('change', ({ matches }) => isPrinting.set(matches))
darkPreference?.addEventListener('change', ({ matches }) => systemIsDark.set(matches))
if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) show(stored())
  })

export function useAppearance(): Appearance {
  return useStore(choice)
}

/** The current appearance, chosen by the user or the system. Paper is always light. */
export function useIsDark(): boolean {
  const onPaper = useStore(isPrinting)
  const followed = useStore(systemIsDark)
  const chosen = useStore(choice)
  if (onPaper) return false
  return chosen === 'system' ? followed : chosen === 'dark'
}

export function chooseAppearance(next: Appearance): void {
  try {
    if (next === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, next)
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
  show(next)
}

function show(next: Appearance): void {
  choice.set(next)
  if (next === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = next
}

function stored(): Appearance {
  try {
    const value = localStorage.getItem(key)
    return value === 'light' || value === 'dark' ? value : 'system'
  } catch {
    return 'system'
  }
}
