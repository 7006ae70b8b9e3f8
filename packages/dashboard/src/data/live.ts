// data/live.ts: the one event stream of the page. Its events only bring refreshes forward, at most once a second for
// all of them together; without it the page is five seconds behind, not wrong. Open only while the page is seen and not
// paused. The browser opens it again by itself unless it was refused.
import type { StreamEventName } from '@pulseward/contract'
import type { QueryClient } from '@tanstack/react-query'
import { paused } from './refresh.ts'

/** What the events of the stream bring forward. */
export type LiveResource = 'overview' | 'monitors' | 'monitor' | 'incidents' | 'state' | 'history' | 'map'

/** The map is left to the rhythm: it is megabytes for a large fleet. */
const broughtForward: Readonly<Record<StreamEventName, readonly LiveResource[]>> = {
  overview: ['overview'],
  monitor: ['monitors', 'monitor'],
  incident: ['incidents', 'overview', 'monitor', 'history'],
  position: ['state'],
  fleet: ['overview', 'monitors', 'monitor', 'incidents', 'history'],
  snapshot: ['overview', 'monitors', 'monitor', 'incidents', 'map'],
  reset: ['overview', 'monitors', 'monitor', 'incidents', 'history', 'map'],
}
const atMostEveryMs = 1_000
const openAgainMs = 30_000

/** Returns what ends it. */
export function startLiveRefresh(client: QueryClient): () => void {
  const waiting = new Set<LiveResource>()
  let source: EventSource | null = null
  let flushTimer: ReturnType<typeof setTimeout> | undefined
  let openTimer: ReturnType<typeof setTimeout> | undefined

  const flush = () => {
    flushTimer = undefined
    const names = new Set<unknown>(waiting)
    waiting.clear()
    void client.invalidateQueries(
      { predicate: ({ queryKey }) => names.has(queryKey[0]) },
      { cancelRefetch: false },
    )
  }
  const bringForward = (names: readonly LiveResource[]) => {
    for (const name of names) waiting.add(name)
    flushTimer ??= setTimeout(flush, atMostEveryMs)
  }
  const close = () => {
    clearTimeout(openTimer)
    clearTimeout(flushTimer)
    flushTimer = undefined
    waiting.clear()
    source?.close()
    source = null
  }
  const open = () => {
    // Rows of monitors in trouble are the ones worth a refresh ahead of time; all others would be a flood.
    source = new EventSource('/api/v1/events?status=incident')
    for (const [name, resources] of Object.entries(broughtForward))
      source.addEventListener(name, () => bringForward(resources))
    source.addEventListener('error', () => {
      if (source?.readyState !== EventSource.CLOSED) return
      close()
      openTimer = setTimeout(follow, openAgainMs)
    })
  }
  const follow = () => {
    const wanted = !document.hidden && !paused.get()
    if (!wanted) close()
    else if (source === null) open()
  }

  follow()
  document.addEventListener('visibilitychange', follow)
  const leave = paused.watch(follow)
  return () => {
    leave()
    document.removeEventListener('visibilitychange', follow)
    close()
  }
}
