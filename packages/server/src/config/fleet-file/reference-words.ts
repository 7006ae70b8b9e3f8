// config/fleet-file/reference-words.ts: what is said about references that lead nowhere or in a circle, in files and in v2.
import { didYouMean } from '../../platform/nearest-name.ts'
import { show } from '../shape/words.ts'

/**
 * `known`: names of the kind, of which the nearest is suggested; none at all if it is empty. Null suggests nothing.
 * `isShown` is false where people may have written a secret in place of its name.
 */
export function missingName(
  noun: string,
  name: string,
  known: readonly string[] | null,
  isShown = true,
): string {
  const none = known?.length === 0 ? ` No ${pluralOf(noun)} are defined.` : ''
  const named = isShown ? `${noun} ${show(name)}` : `${noun} of this name`
  return `there is no ${named}.${none || didYouMean(name, known ?? [])}`
}

function pluralOf(noun: string): string {
  if (noun === 'person') return 'people'
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

/** `way`: the first monitors on the path back to this one; `length`: how many there are. Without its full stop. */
export function dependsOnItself(id: string, way: readonly string[], length: number): string {
  const shown = way.map((one) => `"${one}"`)
  if (length > way.length) shown.push(`${length - way.length} more`)
  const circle = [`"${id}"`, ...shown, `"${id}"`].join(' → ')
  return `depends on itself: ${circle}; remove one of these dependencies`
}
