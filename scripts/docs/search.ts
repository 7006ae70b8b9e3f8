// scripts/docs/search.ts: the search, for the index that is built and for the page that queries it. A pasted
// message with its values leads to the sentence with gaps in their places.
import type MiniSearch from 'minisearch'
import type { Options, SearchResult } from 'minisearch'

export interface SearchEntry {
  readonly id: number
  /** Page and anchor, from the root of the site. */
  readonly path: string
  readonly page: string
  readonly heading: string
  readonly text: string
  /** The beginning of the text, for display. */
  readonly excerpt: string
}

export type Found = SearchResult & Pick<SearchEntry, 'path' | 'page' | 'heading' | 'excerpt'>

export const searchOptions: Options<SearchEntry> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['path', 'page', 'heading', 'excerpt'],
  tokenize,
  searchOptions: {
    boost: { heading: 3, page: 1.5 },
    boostDocument: (_id, _term, stored) => (isMessage(stored) ? messageWeight : 1),
    prefix: (term) => term.length > 2,
    fuzzy: false,
  },
}

/** A word in a message counts less than in a page about it. */
const messageWeight = 0.2

function isMessage(stored: Record<string, unknown> | undefined): boolean {
  return String(stored?.['path']).startsWith('generated/messages/')
}

/** Such as unhealthy_threshold or tls.ca: searched as a whole, or its words would lead elsewhere. */
const isName = /^[A-Za-z0-9]+(?:[._][A-Za-z0-9]+)+$/

/** Words, and also whole names: limits.page_size, and page_size by itself. */
function tokenize(text: string): string[] {
  const names = text.match(/[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+/g) ?? []
  const paths = text.match(/[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)+/g) ?? []
  return [...text.split(/[\n\r\p{Z}\p{P}]+/u), ...names, ...paths]
}

/** A match of fewer words is found in many sentences. */
const fewestWords = 3

/** Messages that the query quotes come first, the longest before the others. */
export function find(index: MiniSearch<SearchEntry>, asked: string): Found[] {
  const named = isName.test(asked.trim()) ? index.search(asked.trim(), { tokenize: (name) => [name] }) : []
  const found = (named.length > 0 ? named : index.search(asked)) as Found[]
  const said = new Map(found.map(({ id, heading }) => [id, wordsSaid(heading, asked)]))
  return found.sort((one, other) => said.get(other.id)! - said.get(one.id)! || other.score - one.score)
}

/** How many words of a sentence with gaps are in the text, in order; half as many if only some of its parts match. */
function wordsSaid(sentence: string, text: string): number {
  const parts = sentence.split('…').map((part) => part.trim())
  let from = 0
  const said = parts.filter((part) => {
    const at = text.indexOf(part, from)
    if (at !== -1) from = at + part.length
    return at !== -1
  })
  const words = said.join(' ').match(/\p{L}+/gu)?.length ?? 0
  if (words < fewestWords) return 0
  return said.length === parts.length ? words : words / 2
}
