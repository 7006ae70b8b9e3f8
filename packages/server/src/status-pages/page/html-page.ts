// status-pages/page/html-page.ts: the front page: one sentence, what goes on, the components, maintenance, and what is over.
import type { ComponentView, PageView } from '../page-view.ts'
import type { Rendered } from '../ready-file.ts'
import { dayBars } from './day-bars.ts'
import { historyPath } from './history-html.ts'
import { incidentRow, openIncident } from './incident-html.ts'
import { maintenanceSection } from './maintenance-html.ts'
import { escaped, textAround } from './markup.ts'
import { type Context, contextOf, pageDocument, timeIn } from './page-document.ts'
import { localeOf, type PageWords, percent } from './page-words.ts'
import { stateGlyph } from './state-glyph.ts'

const verdictEnd = '</h1></div>'
/** What a copy of the page says when it can no longer be kept fresh, in the words of the page. */
const staleAttribute = / data-stale="([^"]*)"/
/** For how long an incident that is over stays on the front page. */
const pastDays = 14
const dayMs = 86_400_000

export function htmlPage(view: PageView): Rendered {
  const context = contextOf(view, '')
  const { words } = context
  const sentence = words.sentence(view.state)
  const open = view.incidents.filter(({ resolvedAtMs }) => resolvedAtMs === null)
  const stale = escaped(words.notUpToDate('{since}'))
  const main = `<div class="card verdict ${view.state}" data-stale="${stale}">${stateGlyph(view.state)}<h1>${escaped(sentence)}${verdictEnd}
${staleNote(context)}${open.map((incident) => openIncident(incident, context)).join('')}${view.groups.map((group) => groupSection(group, context)).join('')}${maintenanceSection(context)}${pastSection(context)}`
  return pageDocument(context, { title: sentence, main })
}

/**
 * The same page for whoever keeps a copy of it and can no longer reach the service: it says since when it is not up to
 * date.
 */
export function withStaleNote(html: string, sinceMs: number): string {
  const [, language = 'en'] = /<html lang="([^"]+)"/.exec(html) ?? []
  const [, said = ''] = staleAttribute.exec(html) ?? []
  const since = `${timeIn('UTC', localeOf(language))(sinceMs)} UTC`
  // As functions: a text may have a $, which would stand for something else.
  const note = noteOf(said.replace('{since}', () => since))
  return html.replace(verdictEnd, () => `${verdictEnd}\n${note}`)
}

function staleNote({ view, words, time }: Context): string {
  if (view.staleSinceMs === null) return ''
  return `${noteOf(textAround(words.notUpToDate, time(view.staleSinceMs)))}\n`
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
<div class="scale"><span>${escaped(words.daysAgo(days.length))}</span><span>${escaped(known)}</span><span>${escaped(words.today)}</span></div>`
}

function stateMark(state: ComponentView['state'], words: PageWords): string {
  return `<span class="state ${state}">${stateGlyph(state)}${escaped(words.state(state))}</span>`
}

/** Nothing where nobody has ever written anything: that there were no incidents would be a promise. */
function pastSection(context: Context): string {
  const { view, words } = context
  if (view.incidents.length === 0) return ''
  const { past, nonePast, history } = words.incidents
  const sinceMs = view.atMs - pastDays * dayMs
  const rows = view.incidents
    .filter(({ resolvedAtMs }) => resolvedAtMs !== null && resolvedAtMs > sinceMs)
    .map((incident) => incidentRow(incident, context))
  const shown = rows.length === 0 ? `<li class="note">${escaped(nonePast(pastDays))}</li>\n` : rows.join('')
  return `<section>\n<h2>${escaped(past)}</h2>\n<ul class="card rows">\n${shown}</ul>\n<p class="others"><a href="${historyPath}">${escaped(history)}</a></p>\n</section>\n`
}
