// status-pages/page/html-page.ts: a page as HTML, complete without a script, an image or another request.

import { languages } from '../../config/fleet-file/status-page.ts'
import { type ComponentView, componentsOf, type PageView } from '../page-view.ts'
import { type Maintenance, phaseOf } from '../planned-maintenance.ts'
import type { Rendered } from '../ready-file.ts'
import { dayBars } from './day-bars.ts'
import { escaped } from './markup.ts'
import { pagePolicy, pageStyle } from './page-style.ts'
import { type PageWords, pageWords, percent } from './page-words.ts'
import { stateGlyph, stateIcon } from './state-glyph.ts'

const verdictEnd = '</h1></div>'
/** Windows that are open or come next; the others are folded. */
const shownAtOnce = 5

interface Context {
  readonly view: PageView
  readonly words: PageWords
  /** In the zone of the page, as markup. */
  readonly time: (ms: number) => string
}

export function htmlPage(view: PageView): Rendered {
  const words = pageWords[view.language]
  const context = { view, words, time: timeIn(view.timezone, words.locale) }
  return { type: 'text/html; charset=utf-8', body: documentOf(context), contentSecurityPolicy: pagePolicy }
}

/**
 * The same page for whoever keeps a copy of it and can no longer reach the service: it says since when it is not up to
 * date.
 */
export function withStaleNote(html: string, sinceMs: number): string {
  const language = languages.find((one) => html.includes(`<html lang="${one}">`)) ?? 'en'
  const words = pageWords[language]
  const since = `${timeIn('UTC', words.locale)(sinceMs)} UTC`
  return html.replace(verdictEnd, `${verdictEnd}\n${noteOf(words.notUpToDate(since))}`)
}

function documentOf(context: Context): string {
  const { view, words } = context
  const sentence = escaped(words.sentence[view.state])
  const title = escaped(view.title)
  return `<!doctype html>
<html lang="${view.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}: ${sentence}</title>
<link rel="icon" href="${escaped(stateIcon(view.state))}">
<link rel="alternate" type="application/atom+xml" title="${title}" href="feed.atom">
<link rel="alternate" type="application/rss+xml" title="${title}" href="feed.rss">
<style>${pageStyle}</style>
</head>
<body>
<div class="page">
<header><p class="name">${title}</p></header>
<main>
<div class="card verdict ${view.state}">${stateGlyph(view.state)}<h1>${sentence}${verdictEnd}
${staleNote(context)}${view.groups.map((group) => groupSection(group, context)).join('')}${maintenanceSection(context)}</main>
<footer>${footer(context)}</footer>
</div>
</body>
</html>
`
}

function staleNote({ view, words, time }: Context): string {
  if (view.staleSinceMs === null) return ''
  return `${noteOf(words.notUpToDate(time(view.staleSinceMs)))}\n`
}

function noteOf(words: string): string {
  return `<p class="card stale" role="status">${words}</p>`
}

function groupSection({ name, components }: PageView['groups'][number], context: Context): string {
  const rows = components.map((component) => `<li>${componentRow(component, context)}</li>\n`).join('')
  return `<section>\n<h2>${escaped(name)}</h2>\n<ul class="card rows">\n${rows}</ul>\n</section>\n`
}

function componentRow(component: ComponentView, { view, words }: Context): string {
  const { name, description, state, days, uptime } = component
  const known = uptime === null ? words.uptimeUnknown : words.uptime(percent(uptime, words.locale))
  const note = description === null ? '' : `<p class="note">${escaped(description)}</p>`
  return `<div class="top"><h3>${escaped(name)}</h3>${stateMark(state, words)}</div>${note}
${dayBars(days, view.today, known, words)}
<div class="scale"><span>${words.daysAgo(days.length)}</span><span>${known}</span><span>${words.today}</span></div>`
}

function stateMark(state: ComponentView['state'], words: PageWords): string {
  return `<span class="state ${state}">${stateGlyph(state)}${escaped(words.state[state])}</span>`
}

function maintenanceSection(context: Context): string {
  const { view, words } = context
  const { heading, inProgress, announced, done, none, more } = words.maintenance
  const phase = (one: Maintenance) => phaseOf(one, view.atMs).name
  const open = view.maintenance.filter((one) => phase(one) !== 'completed')
  const openRows = open.map((one) =>
    maintenanceRow(one, phase(one) === 'in_progress' ? inProgress : announced, context),
  )
  const doneRows = view.maintenance
    .filter((one) => phase(one) === 'completed')
    .reverse()
    .map((one) => maintenanceRow(one, done, context))
  const [first, others] = [openRows.slice(0, shownAtOnce), [...openRows.slice(shownAtOnce), ...doneRows]]
  const empty = open.length === 0 ? `<li class="note">${escaped(none)}</li>\n` : ''
  const folded =
    others.length === 0
      ? ''
      : `<li><details><summary>${escaped(more(others.length))}</summary><ul>${others.join('')}</ul></details></li>\n`
  return `<section>\n<h2>${heading}</h2>\n<ul class="card rows">\n${empty}${first.join('')}${folded}</ul>\n</section>\n`
}

function maintenanceRow(
  { componentIds, fromMs, untilMs }: Maintenance,
  state: string,
  { view, words, time }: Context,
): string {
  const names = [...componentsOf(view)].filter(({ id }) => componentIds.includes(id)).map(({ name }) => name)
  const when = words.maintenance.until(time(fromMs), time(untilMs))
  return `<li><div class="top"><h3>${escaped(names.join(', '))}</h3><span class="note">${escaped(state)}</span></div><p class="note">${when}</p></li>\n`
}

function footer({ view, words }: Context): string {
  const links = view.links.map(
    ({ name, url }) => `<a href="${escaped(url)}" rel="noopener">${escaped(name)}</a>`,
  )
  const feeds = `<span>${escaped(words.feeds)}: <a href="feed.atom">Atom</a>, <a href="feed.rss">RSS</a></span>`
  return [...links, feeds, `<span>${escaped(words.zone(view.timezone))}</span>`].join('\n')
}

function timeIn(timeZone: string, locale: string): (ms: number) => string {
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
