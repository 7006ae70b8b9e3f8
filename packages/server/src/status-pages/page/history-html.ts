// status-pages/page/history-html.ts: what people wrote in the past, by month: a page of all months that have anything, and a
// page for each of them. Months are those of the page's zone.
import type { PageView } from '../page-view.ts'
import { phaseOf } from '../planned-maintenance.ts'
import type { Rendered } from '../ready-file.ts'
import { incidentRow } from './incident-html.ts'
import { maintenanceRow } from './maintenance-html.ts'
import { escaped } from './markup.ts'
import { type Context, contextOf, pageDocument } from './page-document.ts'

/** Of all months, below the address of the page. */
export const historyPath = 'history.html'
const ofMonth = /^history\/(\d{4}-\d{2})\.html$/

interface Entry {
  readonly month: string
  readonly startedAtMs: number
  readonly row: string
}

/** The paths of the history of a page. */
export function historyPaths(view: PageView): string[] {
  const months = new Set(entriesOf(contextOf(view, '../')).map(({ month }) => month))
  return [historyPath, ...[...months].map(pathOf)]
}

/** Null if there is no such page. */
export function historyPageAt(view: PageView, path: string): Rendered | null {
  if (path === historyPath) return allMonths(contextOf(view, './'))
  const month = ofMonth.exec(path)?.[1]
  return month === undefined ? null : oneMonth(contextOf(view, '../'), month)
}

function allMonths(context: Context): Rendered {
  const { words } = context
  const counts = new Map<string, number>()
  for (const { month } of entriesOf(context)) counts.set(month, (counts.get(month) ?? 0) + 1)
  const rows = [...counts].map(
    ([month, count]) =>
      `<li><div class="top"><h2><a href="${pathOf(month)}">${escaped(nameOf(month, context))}</a></h2><span class="note">${count}</span></div></li>\n`,
  )
  const title = words.incidents.history
  const shown = rows.length === 0 ? `<li class="note">${escaped(words.incidents.none)}</li>\n` : rows.join('')
  return pageDocument(context, {
    title,
    main: `<h1>${escaped(title)}</h1>\n<ul class="card rows">\n${shown}</ul>\n`,
  })
}

/** Null if nothing happened in it. */
function oneMonth(context: Context, month: string): Rendered | null {
  const all = entriesOf(context)
  const entries = all.filter((entry) => entry.month === month)
  if (entries.length === 0) return null
  const title = nameOf(month, context)
  const months = [...new Set(all.map((entry) => entry.month))]
  const place = months.indexOf(month)
  const others = [months[place + 1], months[place - 1]].flatMap((other) =>
    other === undefined
      ? []
      : [`<a href="${context.root}${pathOf(other)}">${escaped(nameOf(other, context))}</a>`],
  )
  const heading = escaped(context.words.incidents.history)
  const index = `<a href="${context.root}${historyPath}">${heading}</a>`
  const rows = entries.map(({ row }) => row).join('')
  return pageDocument(context, {
    title,
    main: `<h1>${heading}</h1>\n<section>\n<h2>${escaped(title)}</h2>\n<ul class="card rows">\n${rows}</ul>\n</section>\n<p class="others">${[...others, index].join('\n')}</p>\n`,
  })
}

/** The newest first. */
function entriesOf(context: Context): Entry[] {
  const { view } = context
  const month = monthIn(view.timezone)
  const incidents = view.incidents.map((incident) => ({
    month: month(incident.startedAtMs),
    startedAtMs: incident.startedAtMs,
    row: incidentRow(incident, context),
  }))
  const done = view.maintenance
    .filter((one) => one.written !== null && phaseOf(one, view.atMs).name === 'completed')
    .map((one) => ({
      month: month(one.fromMs),
      startedAtMs: one.fromMs,
      row: maintenanceRow(one, context.words.maintenance.done, context),
    }))
  return [...incidents, ...done].sort((one, other) => other.startedAtMs - one.startedAtMs)
}

function pathOf(month: string): string {
  return `history/${month}.html`
}

function monthIn(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' })
  return (ms) => format.format(ms).slice(0, 7)
}

function nameOf(month: string, { words }: Context): string {
  const format = new Intl.DateTimeFormat(words.locale, { timeZone: 'UTC', year: 'numeric', month: 'long' })
  return format.format(Date.parse(`${month}-01T00:00:00Z`))
}
