// status-pages/page/markdown.ts: Markdown of people as HTML, all text escaped.
import { v2 } from '@pulseward/contract'
import { escaped } from './markup.ts'

/** Nothing but p, ul, ol, li, pre, code, strong, em, br and a. */
export function markdown(source: string): string {
  return v2.parseMarkdown(source).map(block).join('\n')
}

function block(one: v2.MarkdownBlock): string {
  switch (one.kind) {
    case 'paragraph':
      return `<p>${inline(one.of)}</p>`
    case 'code':
      return `<pre><code>${escaped(one.text)}</code></pre>`
    case 'list': {
      const name = one.isOrdered ? 'ol' : 'ul'
      return `<${name}>${one.items.map((item) => `<li>${inline(item)}</li>`).join('')}</${name}>`
    }
  }
}

function inline(parts: readonly v2.MarkdownInline[]): string {
  return parts.map(span).join('')
}

function span(part: v2.MarkdownInline): string {
  switch (part.kind) {
    case 'text':
      return escaped(part.text)
    case 'break':
      return '<br>\n'
    case 'code':
      return `<code>${escaped(part.text)}</code>`
    case 'strong':
    case 'em':
      return `<${part.kind}>${inline(part.of)}</${part.kind}>`
    case 'link':
      return `<a href="${escaped(part.address)}" rel="noopener nofollow">${inline(part.of)}</a>`
  }
}
