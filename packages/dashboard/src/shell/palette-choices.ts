// shell/palette-choices.ts: what the command palette offers for the typed text: views and commands by name,
// monitors as the service found them, and a link to all matches.
import { type Look, type Looking, lookOf } from '../components/status-words.ts'
import { plural } from '../format/count.ts'
import { type ViewEntry, views } from '../views/registry.ts'
import type { Key } from './keys.ts'

export interface FoundMonitors {
  readonly total: number
  readonly monitors: readonly ({ readonly id: number; readonly name: string } & Looking)[]
}

export type Choice =
  | { readonly kind: 'command'; readonly name: string; readonly keys: string; readonly run: () => void }
  | { readonly kind: 'view'; readonly path: string; readonly name: string; readonly keys: string }
  | { readonly kind: 'monitor'; readonly path: string; readonly name: string; readonly look: Look }
  | { readonly kind: 'all'; readonly path: string; readonly name: string }

/** `found` is null while nothing is known about monitors. */
export function paletteChoices(
  text: string,
  found: FoundMonitors | null,
  offered: readonly ViewEntry[] = views,
  commands: readonly Key[] = [],
): readonly Choice[] {
  const words = text.trim()
  const isMeant = (name: string) => name.toLowerCase().includes(words.toLowerCase())
  const matching = [
    ...offered
      .filter(({ name }) => isMeant(name))
      .map(({ path, name, keys }): Choice => ({ kind: 'view', path, name, keys })),
    ...commands
      .filter(({ does }) => isMeant(does))
      .map(({ does, keys, run }): Choice => ({ kind: 'command', name: does, keys, run })),
  ]
  if (words === '') return matching
  const monitors = (found?.monitors ?? []).map(
    ({ id, name, ...row }): Choice => ({
      kind: 'monitor',
      path: `/monitors/${id}`,
      name,
      look: lookOf(row),
    }),
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
  const others = (['view', 'command'] as const).flatMap((wanted) => {
    const count = choices.filter(({ kind }) => kind === wanted).length
    return count === 0 ? [] : [plural(count, wanted)]
  })
  if (text.trim() === '') return others.join(' and ')
  if (found === null) return 'Monitors are being searched.'
  return `${[`${plural(found.total, 'monitor')} found`, ...others].join(', and ')}.`
}

/** The index after a step up or down; wraps around. */
export function stepped(place: number, step: number, count: number): number {
  return count === 0 ? 0 : (((place + step) % count) + count) % count
}
