// shell/palette-choices.ts: what the command palette offers for the typed text: views, commands, actions, open incidents,
// settings and documentation by name, monitors as the service found them, and a link to all matches.
import { type Look, type Looking, lookOf } from '../components/status-words.ts'
import { incidentPage } from '../data/incident-path.ts'
import { plural } from '../format/count.ts'
import { type ViewEntry, views } from '../views/registry.ts'
import { addressOf, documents } from './documents.ts'
import type { Key } from './keys.ts'
import { isMeant, type PaletteAction } from './palette-actions.ts'

export interface FoundMonitors {
  readonly total: number
  readonly monitors: readonly ({ readonly id: number; readonly name: string } & Looking)[]
}

export type Choice =
  | { readonly kind: 'command'; readonly name: string; readonly keys: string; readonly run: () => void }
  | { readonly kind: 'action'; readonly name: string; readonly run: () => void }
  | { readonly kind: 'view'; readonly path: string; readonly name: string; readonly keys: string }
  | { readonly kind: 'monitor'; readonly path: string; readonly name: string; readonly look: Look }
  | { readonly kind: 'incident' | 'setting'; readonly path: string; readonly name: string }
  | { readonly kind: 'document'; readonly address: string; readonly name: string }
  | { readonly kind: 'all'; readonly path: string; readonly name: string }

/** What there is to find beside views and monitors. */
export interface Findable {
  readonly commands: readonly Key[]
  /** Those that the text does not name are left out. */
  readonly actions: readonly PaletteAction[]
  /** For the text as it is, such as what a verb in it can be applied to. */
  readonly wished: readonly PaletteAction[]
  readonly incidents: readonly { readonly id: string; readonly name: string }[]
  readonly settings: readonly { readonly name: string; readonly value: string }[]
}

export const nothingMore: Findable = { commands: [], actions: [], wished: [], incidents: [], settings: [] }

const mostOfKind = 6
/** Ids of incidents are long and have no spaces: one that is pasted leads to its page, also when it has closed. */
const idForm = /^[0-9A-Za-z_:-]{20,128}$/

/** `found` is null while nothing is known about monitors. */
export function paletteChoices(
  text: string,
  found: FoundMonitors | null,
  offered: readonly ViewEntry[] = views,
  more: Findable = nothingMore,
): readonly Choice[] {
  const words = text.trim()
  const matching = [
    ...offered
      .filter(({ name }) => isMeant(words, { name }))
      .map(({ path, name, keys }): Choice => ({ kind: 'view', path, name, keys })),
    ...more.commands
      .filter(({ does }) => isMeant(words, { name: does }))
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
  return [
    ...matching,
    ...actionsFor(words, more),
    ...monitors,
    ...others(words, more),
    { kind: 'all', path, name },
  ]
}

function actionsFor(words: string, { actions, wished }: Findable): readonly Choice[] {
  const meant = actions.filter((action) => isMeant(words, action))
  return [...wished, ...meant].map(({ name, run }): Choice => ({ kind: 'action', name, run }))
}

function others(words: string, { incidents, settings }: Findable): readonly Choice[] {
  const named = incidents.filter(({ id, name }) => isMeant(words, { name, about: `incident ${id}` }))
  const known = named.slice(0, mostOfKind)
  const pasted =
    idForm.test(words) && !known.some(({ id }) => id === words) ? [{ id: words, name: words }] : []
  return [
    ...[...known, ...pasted].map(
      ({ id, name }): Choice => ({ kind: 'incident', path: incidentPage(id), name: `Incident: ${name}` }),
    ),
    ...settings
      .filter(({ name }) => isMeant(words, { name, about: 'setting' }))
      .slice(0, mostOfKind)
      .map(({ name, value }): Choice => ({ kind: 'setting', path: '/settings', name: `${name}: ${value}` })),
    ...documents
      .filter((document) => isMeant(words, { ...document, about: `${document.about} documentation docs` }))
      .slice(0, mostOfKind)
      .map((document): Choice => ({ kind: 'document', address: addressOf(document), name: document.name })),
  ]
}

const counted = ['view', 'command', 'action', 'incident', 'setting', 'document'] as const

/** For people who do not see the list. */
export function choicesInWords(
  text: string,
  choices: readonly Choice[],
  found: FoundMonitors | null,
): string {
  const counts = counted.flatMap((wanted) => {
    const count = choices.filter(({ kind }) => kind === wanted).length
    return count === 0 ? [] : [plural(count, wanted)]
  })
  if (text.trim() === '') return counts.join(' and ')
  if (found === null) return 'Monitors are being searched.'
  return `${[`${plural(found.total, 'monitor')} found`, ...counts].join(', and ')}.`
}

/** The index after a step up or down; wraps around. */
export function stepped(place: number, step: number, count: number): number {
  return count === 0 ? 0 : (((place + step) % count) + count) % count
}
