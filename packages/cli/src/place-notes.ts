// place-notes.ts: what validation says of monitors whose locations are so few that one which is away decides for all.
import { counted, type LoadedFleet, listWords, PackedReader, withoutOne } from '@pulseward/server'
import { plain } from './client/plain-text.ts'
import { mostNamed, someNamed } from './client/some-named.ts'

type Definition = LoadedFleet['definition']

/** One note for each list of locations and rule. */
export function placeNotes(definition: Definition): string[] {
  const { policies, names } = definition
  const read = new PackedReader(names)
  const notes = new Map<string, { readonly first: string[]; count: number }>()
  for (let row = 0; row < definition.count; row++) {
    const { places, enabled } = policies.values[policies.of[row]!]!
    const follows = places === undefined ? null : withoutOne(places)
    if (places === undefined || follows === null || !enabled) continue
    const { locations } = places
    const away = locations.length === 1 ? `while ${locations[0]}` : `while one of ${listWords(locations)}`
    const words = `${away} is away, a monitor of ${locations.length === 1 ? 'this location' : 'these locations'} ${follows}`
    const note = notes.get(words) ?? { first: [], count: 0 }
    if (note.count++ < mostNamed) note.first.push(read.get(row))
    notes.set(words, note)
  }
  return [...notes].map(
    ([words, { first, count }]) =>
      `pulseward: note: ${words}. That is ${counted(count, 'monitor')}: ${plain(someNamed(first, count))}. Three locations or more with fails_when: majority can lose one.\n`,
  )
}
