// views/manage/first-use/progress.ts: how far the first steps have come, kept for this tab: people leave the page to make
// other kinds of monitors, and come back. That they were left is kept for this browser.
import { createStore, useStore } from '../../../store.ts'

export interface Progress {
  /** The steps stay visible until they are finished, even if the fleet is no longer empty. */
  readonly hasBegun: boolean
  /** What is watched, by name; null before. */
  readonly watched: string | null
  /** The destination that is told; null before, empty if that was put off. */
  readonly told: string | null
  /** The practice target is watched. */
  readonly practises: boolean
  /** They are not offered again unless nothing is watched. */
  readonly isLeft: boolean
}

const key = 'pulseward-first-steps'
const atFirst: Progress = { hasBegun: false, watched: null, told: null, practises: false, isLeft: false }
const progress = createStore<Progress>(stored())

export function useProgress(): Progress {
  return useStore(progress)
}

export function noteProgress(news: Partial<Progress>): void {
  const next = { ...progress.get(), hasBegun: true, ...news }
  keep(() => sessionStorage.setItem(key, JSON.stringify(next)))
  progress.set(next)
}

export function finishSteps(): void {
  keep(() => {
    sessionStorage.removeItem(key)
    localStorage.setItem(key, 'left')
  })
  progress.set({ ...atFirst, isLeft: true })
}

function keep(write: () => void): void {
  try {
    write()
  } catch {
    // Storage is blocked: the steps last until the page is closed.
  }
}

function stored(): Progress {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return { ...atFirst, isLeft: localStorage.getItem(key) !== null, ...Object(kept) }
  } catch {
    return atFirst
  }
}
