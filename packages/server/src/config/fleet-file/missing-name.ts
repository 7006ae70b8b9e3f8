// config/fleet-file/missing-name.ts: what is said about a reference to something that does not exist, in files and in v2.
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
  const none = known?.length === 0 ? ` No ${noun}s are defined.` : ''
  const named = isShown ? `${noun} ${show(name)}` : `${noun} of this name`
  return `there is no ${named}.${none || didYouMean(name, known ?? [])}`
}
