// v2/markdown.ts: the Markdown that people may write on status pages: paragraphs, lists, bold, italic, code and links. It is
// parsed to a tree in which all text is text and an address leads to the web or to mail; whatever else is written stays as it
// is. The time it takes grows with the length of the text alone.

export type MarkdownInline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em'; readonly of: readonly MarkdownInline[] }
  | { readonly kind: 'link'; readonly address: string; readonly of: readonly MarkdownInline[] }

export type MarkdownBlock =
  | { readonly kind: 'paragraph'; readonly of: readonly MarkdownInline[] }
  | { readonly kind: 'code'; readonly text: string }
  | {
      readonly kind: 'list'
      readonly isOrdered: boolean
      readonly items: readonly (readonly MarkdownInline[])[]
    }

const fence = /^ {0,3}```/
const item = /^ {0,3}(?:([-*+])|\d{1,9}[.)])[ \t]+(.*)$/
const heading = /^ {0,3}#{1,6}[ \t]+(.*)$/

export function parseMarkdown(source: string): MarkdownBlock[] {
  const lines = source.replace(/\r\n?/g, '\n').split('\n')
  const blocks: MarkdownBlock[] = []
  for (let at = 0; at < lines.length; ) {
    if (lines[at]!.trim() === '') {
      at++
      continue
    }
    const { found, next } = blockAt(lines, at)
    blocks.push(found)
    at = next
  }
  return blocks
}

interface Found<Part> {
  readonly found: Part
  /** The line or the character after it. */
  readonly next: number
}

function blockAt(lines: readonly string[], at: number): Found<MarkdownBlock> {
  const line = lines[at]!
  if (fence.test(line)) return codeAt(lines, at)
  if (item.test(line)) return listAt(lines, at)
  const title = heading.exec(line)?.[1]
  // The page has headings of its own, among which those of a text would be misleading.
  if (title !== undefined)
    return { found: { kind: 'paragraph', of: [{ kind: 'strong', of: inline(title) }] }, next: at + 1 }
  let end = at + 1
  while (end < lines.length && !beginsBlock(lines[end]!)) end++
  return { found: { kind: 'paragraph', of: inline(lines.slice(at, end).join('\n')) }, next: end }
}

function beginsBlock(line: string): boolean {
  return line.trim() === '' || fence.test(line) || item.test(line) || heading.test(line)
}

/** Up to the fence that closes it, or to the end. */
function codeAt(lines: readonly string[], at: number): Found<MarkdownBlock> {
  let end = at + 1
  while (end < lines.length && !fence.test(lines[end]!)) end++
  return { found: { kind: 'code', text: lines.slice(at + 1, end).join('\n') }, next: end + 1 }
}

/** Items of one kind; a line that begins no block belongs to the item above it. */
function listAt(lines: readonly string[], at: number): Found<MarkdownBlock> {
  const isOrderedAt = (line: string) => item.exec(line)![1] === undefined
  const isOrdered = isOrderedAt(lines[at]!)
  const items: string[] = []
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end]!
    if (item.test(line)) {
      if (isOrderedAt(line) !== isOrdered) break
      items.push(item.exec(line)![2]!)
    } else if (beginsBlock(line)) break
    else items[items.length - 1] += `\n${line}`
  }
  return { found: { kind: 'list', isOrdered, items: items.map((text) => inline(text)) }, next: end }
}

const addressPattern = /^(?:https?:\/\/|mailto:)[^\s<>"\\]+$/i
/** Deeper than anybody writes. */
const deepest = 4

function inline(text: string, depth = 0): MarkdownInline[] {
  const places = new Places(text)
  const parts: MarkdownInline[] = []
  let plainFrom = 0
  for (let at = 0; at < text.length; ) {
    const span = depth < deepest ? spanAt(text, at, places, depth) : null
    if (span === null) {
      at++
      continue
    }
    pushPlain(parts, text.slice(plainFrom, at))
    parts.push(span.found)
    at = plainFrom = span.next
  }
  pushPlain(parts, text.slice(plainFrom))
  return parts
}

function pushPlain(parts: MarkdownInline[], text: string): void {
  for (const [number, line] of text.split('\n').entries()) {
    if (number > 0) parts.push({ kind: 'break' })
    if (line !== '') parts.push({ kind: 'text', text: line })
  }
}

function spanAt(text: string, at: number, places: Places, depth: number): Found<MarkdownInline> | null {
  switch (text[at]) {
    case '`':
      return codeSpan(text, at, places)
    case '[':
      return link(text, at, places, depth)
    case '*':
      return text[at + 1] === '*'
        ? marked(text, at, places, '**', 'strong', depth)
        : marked(text, at, places, '*', 'em', depth)
    default:
      return null
  }
}

function codeSpan(text: string, at: number, places: Places): Found<MarkdownInline> | null {
  const end = places.next('`', at + 1)
  if (end === -1 || end === at + 1) return null
  return { found: { kind: 'code', text: text.slice(at + 1, end) }, next: end + 1 }
}

/** Words between two marks that stand close to them. */
function marked(
  text: string,
  at: number,
  places: Places,
  mark: string,
  kind: 'strong' | 'em',
  depth: number,
): Found<MarkdownInline> | null {
  const from = at + mark.length
  if (isSpace(text[from])) return null
  const end = places.next(mark, from + 1)
  if (end === -1 || isSpace(text[end - 1])) return null
  return { found: { kind, of: inline(text.slice(from, end), depth + 1) }, next: end + mark.length }
}

function link(text: string, at: number, places: Places, depth: number): Found<MarkdownInline> | null {
  const middle = places.next('](', at + 1)
  const end = middle === -1 ? -1 : places.next(')', middle + 2)
  if (end === -1 || middle === at + 1) return null
  const address = text.slice(middle + 2, end)
  const words = text.slice(at + 1, middle)
  // There is no link within a link.
  if (!addressPattern.test(address) || words.includes('[')) return null
  return { found: { kind: 'link', address, of: inline(words, depth + 1) }, next: end + 1 }
}

function isSpace(character: string | undefined): boolean {
  return character === undefined || /\s/.test(character)
}

/** Where marks come next: each place is found once, however often it is asked for. */
class Places {
  readonly #text: string
  readonly #found = new Map<string, number>()

  constructor(text: string) {
    this.#text = text
  }

  /** -1 if there is none. For one mark, `from` never goes back. */
  next(mark: string, from: number): number {
    const known = this.#found.get(mark)
    if (known !== undefined && (known === -1 || known >= from)) return known
    const at = this.#text.indexOf(mark, from)
    this.#found.set(mark, at)
    return at
  }
}
