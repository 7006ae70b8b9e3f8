// fleet/first-tags.ts: the first tag of every monitor as a number that sorts like the tag itself (by code points).
// In shared memory, so that drawing a fleet grouped by tag needs no copy of its tag lists in another thread.
import { type PackedStrings, PackedWriter } from '../platform/packed-strings.ts'

export interface FirstTags {
  /** Every tag that stands first somewhere, sorted; the empty string for monitors without tags. */
  readonly tags: PackedStrings
  /** For each list of tags (an entry of definition.tags.values), the row of its first tag in tags. */
  readonly ofList: Uint32Array
}

export function firstTagsOf(lists: readonly (readonly string[])[]): FirstTags {
  const firstOf = (list: readonly string[]) => list[0] ?? ''
  // UTF-8 sorts by code points, which UTF-16 does not.
  const sorted = [...new Set(lists.map(firstOf))]
    .map((tag) => ({ tag, bytes: Buffer.from(tag) }))
    .sort((left, right) => Buffer.compare(left.bytes, right.bytes))
  const writer = new PackedWriter()
  const rows = new Map(sorted.map(({ tag }) => [tag, writer.append(tag)]))
  const ofList = new Uint32Array(new SharedArrayBuffer(lists.length * 4))
  for (const [number, list] of lists.entries()) ofList[number] = rows.get(firstOf(list))!
  return { tags: writer.finish(), ofList }
}
