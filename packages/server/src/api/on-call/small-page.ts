// api/on-call/small-page.ts: a page of a few sentences and at most one button, which works without scripts. Every text is
// escaped; nothing is loaded, and no other page may frame it or take what its form sends.
import { createHash } from 'node:crypto'
import type { Exchange } from '../exchange.ts'

export interface SmallPage {
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly items?: readonly string[]
  /** What the button says; it posts to the address of the page. */
  readonly button?: string
}

const style = [
  ':root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}',
  'main{max-width:36rem;margin:3rem auto;padding:0 1rem}',
  'h1{font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}',
  'p,li{overflow-wrap:anywhere}',
  'button{font:inherit;font-weight:600;padding:.75rem 1.5rem;min-height:2.75rem}',
].join('')
const styleHash = createHash('sha256').update(style).digest('base64')
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export function sendSmallPage(exchange: Exchange, status: number, page: SmallPage): void {
  exchange.setHeaders({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-robots-tag': 'noindex',
  })
  exchange.send(status, htmlOf(page))
}

function htmlOf({ title, paragraphs, items = [], button }: SmallPage): string {
  const list =
    items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`
  const form =
    button === undefined ? '' : `<form method="post"><button type="submit">${escaped(button)}</button></form>`
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escaped(title)}</title><style>${style}</style></head><body><main>`,
    `<h1>${escaped(title)}</h1>${paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('')}${list}${form}`,
    '</main></body></html>\n',
  ].join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!)
}
