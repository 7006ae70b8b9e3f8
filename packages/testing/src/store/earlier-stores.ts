// store/earlier-stores.ts: a real store of each format that was ever in use, written by the code of its time and kept
// as it was. All hold the same: four monitors (one of them removed), 300 events, two states, two actions, a block of
// counters, an SLO window and a destination that is gone. A new format adds one of the format before it.
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

const folder = new URL('earlier-formats/', import.meta.url)

/** The formats of which there is a store. */
export const earlierFormats: readonly number[] = readdirSync(folder)
  .map((name) => Number(/^format-(\d+)\.db\.gz$/.exec(name)?.[1]))
  .sort((one, other) => one - other)

/** The bytes of its database file. */
export function earlierStore(format: number): Uint8Array {
  return gunzipSync(readFileSync(new URL(`format-${format}.db.gz`, folder)))
}
