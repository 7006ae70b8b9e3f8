// store/earlier-stores.ts: a real store of every earlier format, written by the code of its time. All hold
// the same: four monitors (one of them removed), 300 events, two states, two actions, a block of counters, an
// SLO window and a dead destination. With a new format, add a store of the previous one.
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

const folder = new URL('earlier-formats/', import.meta.url)

/** The formats that a store exists for. */
export const earlierFormats: readonly number[] = readdirSync(folder)
  .map((name) => Number(/^format-(\d+)\.db\.gz$/.exec(name)?.[1]))
  .sort((one, other) => one - other)

/** The bytes of its database file. */
export function earlierStore(format: number): Uint8Array {
  return gunzipSync(readFileSync(new URL(`format-${format}.db.gz`, folder)))
}
