// shell/leaving.ts: leaving a view with unsaved changes. The view says that it has some; then links, keys and
// the Back button ask first, and so does the browser before it closes the tab. At most one view is shown, so
// at most one has unsaved changes.
import { useEffect, useMemo } from 'react'
import type { AroundNavHandler } from 'wouter'
import { createStore, useStore } from '../store.ts'

interface Held {
  /** The address of the view. */
  readonly address: string
}

let held: Held | null = null
/** The navigation that waits for the person's answer. */
const wanted = createStore<(() => void) | null>(null)

/** Every navigation within the page except Back and Forward goes through here. */
export const askBeforeLeaving: AroundNavHandler = (navigate, to, options) => {
  if (held === null || to === held.address) navigate(to, options)
  else wanted.set(() => navigate(to, options))
}

export interface Leaving {
  readonly isAsked: boolean
  readonly stay: () => void
  readonly leave: () => void
  /** Called when the changes are saved or gone: the next navigation is free, even before the next render. */
  readonly release: () => void
}

export function useUnsaved(isUnsaved: boolean): Leaving {
  const go = useStore(wanted)
  useEffect(() => (isUnsaved ? hold() : undefined), [isUnsaved])
  const verbs = useMemo(
    () => ({
      stay: () => wanted.set(null),
      leave: () => {
        const way = wanted.get()
        held = null
        wanted.set(null)
        way?.()
      },
      release: () => {
        held = null
      },
    }),
    [],
  )
  return { isAsked: go !== null, ...verbs }
}

/**
 * Handles Back and Forward. Called once, before the router exists: a window calls its listeners in the order
 * in which they were added, and the router must not see a navigation that is not taken. It would unmount the
 * view and lose what was typed.
 */
export function askBeforeTraversal(): void {
  addEventListener('popstate', (event) => {
    // A link within the page changes only the part after the #.
    if (held === null || addressNow() === held.address) return
    event.stopImmediatePropagation()
    // After the address is restored, the requested entry is the previous one, whichever direction it was in.
    history.pushState(null, '', held.address)
    wanted.set(() => history.back())
  })
}

/** Returns the function that ends it. */
function hold(): () => void {
  const mine: Held = { address: addressNow() }
  held = mine
  const warn = (event: BeforeUnloadEvent) => {
    if (held === mine) event.preventDefault()
  }
  addEventListener('beforeunload', warn)
  return () => {
    removeEventListener('beforeunload', warn)
    if (held === mine) held = null
    wanted.set(null)
  }
}

function addressNow(): string {
  return location.pathname + location.search
}
