// fleet/first-tags.ts: the first tag of every monitor as a number. In shared memory, so that another thread
// can group a fleet by tag without a copy of its tag lists.
import { grown, newColumn } from '../platform/column.ts'
import { type PackedStrings, PackedWriter } from '../platform/packed-strings.ts'

export interface FirstTags {
  /** Every tag that is first in some list; the empty string for monitors without tags. */
  readonly tags: PackedStrings
  /** For each list of tags (an entry of definition.tags.values), the row of its first tag in tags. */
  readonly ofList: Uint32Array
}

type TagList = readonly string[]

/** Numbers the first tags of lists, and continues when lists are added. */
export class FirstTagNumbers {
  readonly #numbers = new Map<string, number>()
  readonly #writer = new PackedWriter()
  #ofList = newColumn(Uint32Array, 16)
  #lists = 0

  add(lists: readonly TagList[]): FirstTags {
    this.#ofList = grown(this.#ofList, roomFor(lists.length, this.#ofList.length))
    for (; this.#lists < lists.length; this.#lists++)
      this.#ofList[this.#lists] = this.#numberOf(lists[this.#lists]?.[0] ?? '')
    return { tags: this.#writer.finish(), ofList: this.#ofList }
  }

  #numberOf(tag: string): number {
    let number = this.#numbers.get(tag)
    if (number === undefined) {
      number = this.#writer.append(tag)
      this.#numbers.set(tag, number)
    }
    return number
  }
}

function roomFor(wanted: number, has: number): number {
  return wanted <= has ? has : Math.max(wanted, has * 2)
}

export function firstTagsOf(lists: readonly TagList[]): FirstTags {
  return new FirstTagNumbers().add(lists)
}
