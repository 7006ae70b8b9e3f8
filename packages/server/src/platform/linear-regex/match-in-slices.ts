// platform/linear-regex/match-in-slices.ts: searches a text without blocking the event loop.
import type { LinearRegex } from './linear-regex.ts'

/** Whether the expression matches; null once stopped. Yields to the event loop after each slice. */
export async function matchInSlices(
  regex: LinearRegex,
  text: string,
  stopped: () => boolean = () => false,
): Promise<boolean | null> {
  const search = regex.begin(text)
  for (;;) {
    regex.goOn(search)
    if (search.found !== null) return search.found
    await new Promise(setImmediate)
    if (stopped()) return null
  }
}
