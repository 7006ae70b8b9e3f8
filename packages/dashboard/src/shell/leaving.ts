// shell/leaving.ts: going elsewhere while something is not saved. A view says that it holds such a thing; then links, keys
// and the Back button ask first, and so does the browser before it closes the tab. At most one view is shown, so at most
// one holds something.
import { useEffect, useMemo } from 'react'
import type { AroundNavHandler } from 'wouter'
import { createStore, useStore } from '../store.ts'

interface Held {
  /** Where it stands. */
  readonly address: string
}

let held: Held | null = null
/** What the person wanted to do and has not been asked about yet. */
const wanted = createStore<(() => void) | null>(null)

/** Every way within the page but Back and Forward comes by here. */
export const askBeforeLeaving: AroundNavHandler = (navigate, to, options) => {
  if (held === null || to === held.address) navigate(to, options)
  else wanted.set(() => navigate(to, options))
}

export interface Leaving {
  readonly isAsked: boolean
  readonly stay: () => void
  readonly leave: () => void
  /** It is saved or gone: the next way is free, before anything is drawn again. */
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
 * Back and Forward. Called once, before the router is there: a window calls its listeners in the order in which they came,
 * and the router must not hear of a way that is not taken. It would take the view away, and with it what was typed.
 */
export function askBeforeTraversal(): void {
  addEventListener('popstate', (event) => {
    // A link to a place in the page changes only what follows the #.
    if (held === null || addressNow() === held.address) return
    event.stopImmediatePropagation()
    // Once the address is put back, the entry that was asked for is the one before it, whichever direction it was in.
    history.pushState(null, '', held.address)
    wanted.set(() => history.back())
  })
}

/** Returns what ends it. */
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
