// status-pages/planned-maintenance.ts: when components are in maintenance, from the windows of their monitors. A component
// is in maintenance when all of its monitors are, which is when its state says so. Pure.
import { createHash } from 'node:crypto'
import type { WrittenUpdate } from './written-update.ts'

export interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

export interface Maintenance extends Span {
  /** Stays the same while the window does, and says nothing about monitors. */
  readonly id: string
  readonly componentIds: readonly string[]
  readonly announcedAtMs: number
  /** What people wrote about it; null for a window of monitors, of which nothing but its time is shown. */
  readonly written: { readonly title: string; readonly updates: readonly WrittenUpdate[] } | null
}

/** How far ahead windows are announced, and for how long they are remembered. */
export const announcedMs = 14 * 86_400_000
export const rememberedMs = 7 * 86_400_000
const rememberedAtMost = 20
const announcedAtMost = 80

/** How far it has come, and since when. */
export function phaseOf(
  { fromMs, untilMs, announcedAtMs }: Span & Pick<Maintenance, 'announcedAtMs'>,
  atMs: number,
): {
  readonly name: 'scheduled' | 'in_progress' | 'completed'
  readonly sinceMs: number
} {
  if (untilMs <= atMs) return { name: 'completed', sinceMs: untilMs }
  if (fromMs <= atMs) return { name: 'in_progress', sinceMs: fromMs }
  return { name: 'scheduled', sinceMs: announcedAtMs }
}

/** The times that all lists have in common. Each is in order, and its spans do not overlap. */
export function inAll(lists: readonly (readonly Span[])[]): readonly Span[] {
  const [first, ...others] = lists
  return others.reduce<readonly Span[]>(inBoth, first ?? [])
}

function inBoth(one: readonly Span[], other: readonly Span[]): Span[] {
  const both: Span[] = []
  for (let left = 0, right = 0; left < one.length && right < other.length; ) {
    const [a, b] = [one[left]!, other[right]!]
    const fromMs = Math.max(a.fromMs, b.fromMs)
    const untilMs = Math.min(a.untilMs, b.untilMs)
    if (fromMs < untilMs) both.push({ fromMs, untilMs })
    if (a.untilMs < b.untilMs) left++
    else right++
  }
  return both
}

/** Components with the same window share one entry. In order of time. */
export function maintenanceOf(
  page: string,
  spans: ReadonlyMap<string, readonly Span[]>,
  nowMs: number,
): readonly Maintenance[] {
  const found = new Map<string, { span: Span; componentIds: string[] }>()
  for (const [componentId, ofComponent] of spans) {
    for (const span of ofComponent) {
      const key = `${span.fromMs} ${span.untilMs}`
      const known = found.get(key)
      if (known === undefined) found.set(key, { span, componentIds: [componentId] })
      else known.componentIds.push(componentId)
    }
  }
  const all = [...found.values()]
    .map(({ span, componentIds }) => ({
      ...span,
      componentIds,
      id: idOf(page, span, componentIds),
      announcedAtMs: span.fromMs - announcedMs,
      written: null,
    }))
    .sort((one, other) => one.fromMs - other.fromMs || one.untilMs - other.untilMs)
  return [
    ...all.filter(({ untilMs }) => untilMs <= nowMs).slice(-rememberedAtMost),
    ...all.filter(({ untilMs }) => untilMs > nowMs).slice(0, announcedAtMost),
  ]
}

function idOf(page: string, { fromMs, untilMs }: Span, componentIds: readonly string[]): string {
  const text = [page, fromMs, untilMs, ...componentIds].join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
