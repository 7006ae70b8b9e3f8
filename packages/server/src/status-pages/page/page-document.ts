// status-pages/page/page-document.ts: what every page of a status page has around its content. It is complete without a script,
// an image or another request.
import type { PageView } from '../page-view.ts'
import type { Rendered } from '../ready-file.ts'
import { escaped } from './markup.ts'
import { logoPath } from './page-logo.ts'
import { pagePolicy, pageStyle } from './page-style.ts'
import { type PageWords, wordsOf } from './page-words.ts'
import { stateIcon } from './state-glyph.ts'

export interface Context {
  readonly view: PageView
  readonly words: PageWords
  /** The way to the address of the page: empty on the front page, `./` beside it, `../` below it. */
  readonly root: string
  /** In the zone of the page, as markup. */
  readonly time: (ms: number) => string
}

export function contextOf(view: PageView, root: string): Context {
  const words = wordsOf(view)
  return { view, words, root, time: timeIn(view.timezone, words.locale) }
}

interface Content {
  /** What the browser calls it. */
  readonly title: string
  /** Markup. */
  readonly main: string
}

export function pageDocument(context: Context, { title, main }: Content): Rendered {
  const { view, root } = context
  const name = escaped(view.title)
  const logo = view.logo === null ? '' : `<img class="logo" src="${root}${logoPath(view.logo)}" alt="">`
  const heading = root === '' ? logo + name : `<a href="${root}">${logo}${name}</a>`
  const body = `<!doctype html>
<html lang="${escaped(view.language)}"${directionOf(view.language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}: ${escaped(title)}</title>
<link rel="icon" href="${escaped(stateIcon(view.state))}">
<link rel="alternate" type="application/atom+xml" title="${name}" href="${root}feed.atom">
<link rel="alternate" type="application/rss+xml" title="${name}" href="${root}feed.rss">
<style>${pageStyle}</style>
</head>
<body>
<div class="page">
<header><p class="name">${heading}</p></header>
<main>
${main}</main>
<footer>${footer(context)}</footer>
</div>
</body>
</html>
`
  return { type: 'text/html; charset=utf-8', body, contentSecurityPolicy: pagePolicy(view.logo !== null) }
}

function directionOf(language: string): string {
  const { direction } = new Intl.Locale(language).getTextInfo()
  return direction === 'rtl' ? ' dir="rtl"' : ''
}

function footer({ view, words, root }: Context): string {
  const back = root === '' ? [] : [`<a href="${root}">${escaped(words.incidents.back)}</a>`]
  const links = view.links.map(
    ({ name, url }) => `<a href="${escaped(url)}" rel="noopener">${escaped(name)}</a>`,
  )
  const feeds = `<span>${escaped(words.feeds)}: <a href="${root}feed.atom">Atom</a>, <a href="${root}feed.rss">RSS</a></span>`
  return [...back, ...links, feeds, `<span>${escaped(words.zone(view.timezone))}</span>`].join('\n')
}

export function timeIn(timeZone: string, locale: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return (ms) => `<time datetime="${new Date(ms).toISOString()}">${escaped(format.format(ms))}</time>`
}
