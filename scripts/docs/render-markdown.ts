// scripts/docs/render-markdown.ts: one document as HTML, with its headings, its links and its texts for search. Anchors
// are those of the code host, so a link works in both places. The caller decides where links lead.
import GithubSlugger from 'github-slugger'
import MarkdownIt, { type Token } from 'markdown-it'

export interface Heading {
  readonly level: number
  readonly text: string
  readonly anchor: string
}

/** A part of a page that is a search result. */
export interface FoundText {
  readonly anchor: string
  readonly heading: string
  readonly text: string
}

export interface RenderedPage {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly texts: readonly FoundText[]
}

export interface RenderOptions {
  /** Where a link or an image leads, given its target as written. */
  readonly resolve: (target: string) => string
  /** Whether every row of a table is a separate search result. */
  readonly rowsAreFound: boolean
}

export function renderMarkdown(source: string, { resolve, rowsAreFound }: RenderOptions): RenderedPage {
  const tokens = markdown.parse(source, {})
  const slugs = new GithubSlugger()
  const headings = headingsOf(tokens, slugs)
  const opened = headings.values()
  const texts: { anchor: string; heading: string; text: string }[] = []
  let part = { anchor: '', heading: '', text: '' }
  const begin = (token: Token, anchor: string, heading: string) => {
    token.attrSet('id', anchor)
    part = { anchor, heading, text: '' }
    texts.push(part)
  }
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const { anchor, text } = opened.next().value!
      begin(token, anchor, text)
    } else if (rowsAreFound && token.type === 'tr_open' && tokens[index + 1]?.type === 'td_open') {
      const text = plainText(tokens[index + 2]!)
      begin(token, slugs.slug(text), text)
    } else if (token.type === 'inline') {
      retarget(token.children ?? [], resolve)
      const text = plainText(token)
      if (text !== part.heading && !sourcePath.test(text)) part.text += ` ${text}`
    } else if (token.type === 'fence') part.text += ` ${token.content}`
  }
  const title = headings.find(({ level }) => level === 1)?.text ?? ''
  return { title, html: markdown.renderer.render(tokens, markdown.options, {}), headings, texts }
}

/** The place of a message in the sources, which readers do not search for. */
const sourcePath = /^(?:[\w.-]+\/)+[\w.-]+\.tsx?(?: |$)/

/** Before all rows, so that headings get the same anchors as at the code host. */
function headingsOf(tokens: readonly Token[], slugs: GithubSlugger): readonly Heading[] {
  return tokens.flatMap(({ type, tag }, index) => {
    if (type !== 'heading_open') return []
    const text = plainText(tokens[index + 1]!)
    return [{ level: Number(tag.slice(1)), text, anchor: slugs.slug(text) }]
  })
}

function retarget(tokens: readonly Token[], resolve: (target: string) => string): void {
  for (const token of tokens) {
    const name = token.type === 'link_open' ? 'href' : token.type === 'image' ? 'src' : null
    if (name !== null) token.attrSet(name, resolve(String(token.attrGet(name))))
  }
}

function plainText({ children }: Token): string {
  return (children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'html_inline' ? ' ' : content))
    .join('')
}

const markdown = new MarkdownIt({ html: true })
const { escapeHtml } = markdown.utils

/** The only HTML in documents is line breaks in tables and comments; everything else is text. */
markdown.renderer.rules['html_inline'] = (tokens, index) => asMeant(tokens[index]!.content)
markdown.renderer.rules['html_block'] = (tokens, index) => asMeant(tokens[index]!.content)

function asMeant(html: string): string {
  if (/^<br ?\/?>$/.test(html)) return '<br>'
  return /^\s*<!--[\s\S]*-->\s*$/.test(html) ? '' : escapeHtml(html)
}

/** A table that is wider than a phone scrolls, and can be reached by keyboard. */
markdown.renderer.rules['table_open'] = () =>
  '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>'
markdown.renderer.rules['table_close'] = () => '</table></div>'
markdown.renderer.rules['fence'] = (tokens, index) => {
  const { content, info } = tokens[index]!
  const language = info.trim().split(/\s/)[0] ?? ''
  return `<div class="code"><pre tabindex="0"><code data-language="${escapeHtml(language)}">${escapeHtml(content)}</code></pre></div>`
}
