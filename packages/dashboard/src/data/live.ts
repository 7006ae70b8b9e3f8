// data/live.ts: the one event stream of the page. Its events only trigger earlier refreshes: the first one
// soon, then at most one per second for all events together, however many monitors change. Without the stream
// the page is five seconds behind, not wrong. It is open only while the page is visible and not paused. The
// browser reconnects by itself unless it was refused.
import type { Overview, StreamEventData, StreamEventName } from '@pulseward/contract'
import type { QueryClient } from '@tanstack/react-query'
import { endBeats, reportBeat } from './connection.ts'
import { paused } from './refresh.ts'

/** The resources that events of the stream refresh. */
export type LiveResource = 'overview' | 'monitors' | 'monitor' | 'incidents' | 'state' | 'history' | 'map'

const ofTheFleet: readonly LiveResource[] = ['overview', 'monitors', 'monitor', 'incidents', 'history']

/** Without the map, which is megabytes for a large fleet: it is refreshed on schedule. */
const broughtForward: Readonly<Record<Exclude<StreamEventName, 'beat'>, readonly LiveResource[]>> = {
  overview: ['overview'],
  monitor: ['monitors', 'monitor'],
  incident: ['incidents', 'overview', 'monitors', 'monitor', 'history'],
  position: ['state'],
  fleet: ofTheFleet,
  snapshot: ['overview', 'monitors', 'monitor', 'incidents', 'map'],
  reset: ['overview', 'monitors', 'monitor', 'incidents', 'history', 'map'],
}
/** A fleet whose map is less than 100 KB. */
const smallFleet = 20_000
/** Events that the service finds together arrive together. */
const gatherMs = 100
const atMostEveryMs = 1_000
const openAgainMs = 30_000

/** Returns the function that stops it. */
export function startLiveRefresh(client: QueryClient): () => void {
  const waiting = new Set<LiveResource>()
  let source: EventSource | null = null
  let fleet: FleetFigures | null = null
  let flushedAtMs = Number.NEGATIVE_INFINITY
  let flushTimer: ReturnType<typeof setTimeout> | undefined
  let openTimer: ReturnType<typeof setTimeout> | undefined

  const flush = () => {
    flushTimer = undefined
    flushedAtMs = performance.now()
    const names = new Set<unknown>(waiting)
    waiting.clear()
    void client.invalidateQueries(
      { predicate: ({ queryKey }) => names.has(queryKey[0]) },
      { cancelRefetch: false },
    )
  }
  const bringForward = (names: readonly LiveResource[]) => {
    for (const name of names) waiting.add(name)
    flushTimer ??= setTimeout(flush, Math.max(gatherMs, flushedAtMs + atMostEveryMs - performance.now()))
  }
  const fleetChanged = () => {
    bringForward(ofTheFleet)
    if (fleet !== null && fleet.total <= smallFleet) bringForward(['map'])
  }
  /** The edition candidate reveals a reload only through the overview; the first overview may also follow a reload. */
  const hearOverview = (event: Event) => {
    const before = fleet
    fleet = figuresIn(event) ?? before
    if (fleet?.text !== before?.text) fleetChanged()
  }
  const close = () => {
    clearTimeout(openTimer)
    clearTimeout(flushTimer)
    flushTimer = undefined
    waiting.clear()
    source?.close()
    source = null
    endBeats()
    fleet = null
  }
  const open = () => {
    // Only monitors with an incident are worth an early refresh; all others would be a flood.
    source = new EventSource('/api/v1/events?status=incident')
    for (const [name, resources] of Object.entries(broughtForward))
      source.addEventListener(name, () => bringForward(resources))
    source.addEventListener('overview', hearOverview)
    source.addEventListener('fleet', fleetChanged)
    source.addEventListener('beat', hearBeat)
    source.addEventListener('error', () => {
      endBeats()
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

function hearBeat(event: Event): void {
  if (!(event instanceof MessageEvent)) return
  const { every_ms }: StreamEventData<'beat'> = JSON.parse(event.data)
  reportBeat(every_ms, Date.now())
}

/** The figures of an overview that change only with the fleet. */
interface FleetFigures {
  readonly total: number
  readonly text: string
}

function figuresIn(event: Event): FleetFigures | null {
  if (!(event instanceof MessageEvent)) return null
  const { total, disabled, by_pulse_type }: Overview = JSON.parse(event.data)
  return { total, text: JSON.stringify([total, disabled, by_pulse_type]) }
}
