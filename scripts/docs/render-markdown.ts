// scripts/docs/render-markdown.ts: one document as HTML, with its headings, its links and the texts that it can be found
// by. Anchors are those of the code host, so a link works in both places. Where links lead is decided by the caller.
import MarkdownIt, { type Token } from 'markdown-it'
import { slugger } from './slugs.ts'

export interface Heading {
  readonly level: number
  readonly text: string
  readonly anchor: string
}

/** A part of a page that search can lead to. */
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
  /** Where a link or an image leads, given as it is written. */
  readonly resolve: (target: string) => string
  /** Whether every row of a table is found by itself. */
  readonly rowsAreFound: boolean
}

export function renderMarkdown(source: string, { resolve, rowsAreFound }: RenderOptions): RenderedPage {
  const tokens = markdown.parse(source, {})
  const headings: Heading[] = []
  const texts: { anchor: string; heading: string; text: string }[] = []
  const anchorOf = slugger()
  let part = { anchor: '', heading: '', text: '' }
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = plainText(tokens[index + 1]!)
      const anchor = anchorOf(text)
      token.attrSet('id', anchor)
      headings.push({ level: Number(token.tag.slice(1)), text, anchor })
      part = { anchor, heading: text, text: '' }
      texts.push(part)
    } else if (rowsAreFound && token.type === 'tr_open' && tokens[index + 1]?.type === 'td_open') {
      const text = plainText(tokens[index + 2]!)
      const anchor = anchorOf(text)
      token.attrSet('id', anchor)
      part = { anchor, heading: text, text: '' }
      texts.push(part)
    } else if (token.type === 'inline') {
      retarget(token.children ?? [], resolve)
      if (plainText(token) !== part.heading) part.text += ` ${plainText(token)}`
    } else if (token.type === 'fence') part.text += ` ${token.content}`
  }
  const title = headings.find(({ level }) => level === 1)?.text ?? ''
  return { title, html: markdown.renderer.render(tokens, markdown.options, {}), headings, texts }
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

/** Documents are text: of HTML only line breaks in tables and comments are meant. */
markdown.renderer.rules['html_inline'] = (tokens, index) => asMeant(tokens[index]!.content)
markdown.renderer.rules['html_block'] = (tokens, index) => asMeant(tokens[index]!.content)

function asMeant(html: string): string {
  if (/^<br ?\/?>$/.test(html)) return '<br>'
  return /^\s*<!--[\s\S]*-->\s*$/.test(html) ? '' : escapeHtml(html)
}

/** What is wider than a phone scrolls by itself, and can be reached by keys. */
markdown.renderer.rules['table_open'] = () =>
  '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>'
markdown.renderer.rules['table_close'] = () => '</table></div>'
markdown.renderer.rules['fence'] = (tokens, index) => {
  const { content, info } = tokens[index]!
  const language = info.trim().split(/\s/)[0] ?? ''
  return `<div class="code"><pre tabindex="0"><code data-language="${escapeHtml(language)}">${escapeHtml(content)}</code></pre></div>`
}
