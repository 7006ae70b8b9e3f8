// shell/palette-choices.ts: what the command palette offers for what is typed: views by their name, monitors as the
// service found them, and the way to all that match.
import type { Status } from '@pulseward/contract'
import { plural } from '../format/count.ts'
import { views } from '../views/registry.ts'

export interface FoundMonitors {
  readonly total: number
  readonly monitors: readonly { readonly id: number; readonly name: string; readonly status: Status }[]
}

export type Choice =
  | { readonly kind: 'view'; readonly path: string; readonly name: string; readonly keys: string }
  | { readonly kind: 'monitor'; readonly path: string; readonly name: string; readonly status: Status }
  | { readonly kind: 'all'; readonly path: string; readonly name: string }

/** `found` is null while nothing is known about monitors. */
export function paletteChoices(text: string, found: FoundMonitors | null): readonly Choice[] {
  const words = text.trim()
  const matching = views
    .filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()))
    .map(({ path, name, keys }): Choice => ({ kind: 'view', path, name, keys }))
  if (words === '') return matching
  const monitors = (found?.monitors ?? []).map(
    ({ id, name, status }): Choice => ({ kind: 'monitor', path: `/monitors/${id}`, name, status }),
  )
  const path = `/monitors?${new URLSearchParams({ q: words })}`
  const name =
    found === null ? 'Search in all monitors' : `Show ${plural(found.total, 'monitor')} in the list`
  return [...matching, ...monitors, { kind: 'all', path, name }]
}

/** For people who do not see the list. */
export function choicesInWords(
  text: string,
  choices: readonly Choice[],
  found: FoundMonitors | null,
): string {
  if (text.trim() === '') return plural(choices.length, 'view')
  const views = choices.filter(({ kind }) => kind === 'view').length
  if (found === null) return 'Monitors are being searched.'
  return `${plural(found.total, 'monitor')} found${views === 0 ? '' : `, and ${plural(views, 'view')}`}.`
}

/** The place after a step up or down, around the ends. */
export function stepped(place: number, step: number, count: number): number {
  return count === 0 ? 0 : (((place + step) % count) + count) % count
}
