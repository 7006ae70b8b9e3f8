// views/monitors/density.ts: the height of the rows. A personal preference, not part of the list: kept in the
// browser and left out of links.
import { createStore, useStore } from '../../store.ts'

export type Density = 'comfortable' | 'compact'

const key = 'pulseward.density'
const density = createStore<Density>(stored())

export function useDensity(): Density {
  return useStore(density)
}

export function chooseDensity(next: Density): void {
  density.set(next)
  try {
    localStorage.setItem(key, next)
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
}

function stored(): Density {
  try {
    return localStorage.getItem(key) === 'compact' ? 'compact' : 'comfortable'
  } catch {
    return 'comfortable'
  }
}
