// components/cursor-place.ts: where the keyboard's pointer is among the times of a chart, and what it has marked. Times are the
// middles of cells of equal length.

export interface CursorPlace {
  /** The index of a time. */
  readonly at: number
  /** Where marking began; null if nothing is marked. */
  readonly anchor: number | null
}

export interface PressedKey {
  readonly key: string
  readonly shiftKey: boolean
}

/** Null if the key does not move it. `last`: the index of the last time. */
export function afterKey(
  { at, anchor }: CursorPlace,
  { key, shiftKey }: PressedKey,
  last: number,
): CursorPlace | null {
  const page = Math.max(1, Math.round(last / 10))
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    PageDown: at - page,
    PageUp: at + page,
    Home: 0,
    End: last,
  }
  const target = targets[key]
  if (target === undefined) return null
  return { at: Math.min(Math.max(target, 0), last), anchor: shiftKey ? (anchor ?? at) : null }
}

/** The marked times, in order; null if there are none. */
export function stretchOf({
  at,
  anchor,
}: CursorPlace): { readonly from: number; readonly to: number } | null {
  if (anchor === null || anchor === at) return null
  return { from: Math.min(at, anchor), to: Math.max(at, anchor) }
}

/** What Enter shows, in milliseconds: the marked times whole; without a mark, a quarter of everything, around the pointer. */
export function selectedMs(
  timesMs: readonly number[],
  place: CursorPlace,
): readonly [from: number, to: number] {
  const cellMs = (timesMs[1] ?? 0) - (timesMs[0] ?? 0)
  const stretch = stretchOf(place)
  const { from, to } = stretch ?? { from: place.at, to: place.at }
  const aroundMs = stretch === null ? (cellMs * timesMs.length) / 8 : cellMs / 2
  return [timesMs[from]! - aroundMs, timesMs[to]! + aroundMs]
}
