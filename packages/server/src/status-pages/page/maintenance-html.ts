// status-pages/page/maintenance-html.ts: maintenance on the front page: what is open or comes next, and the rest folded.
import { componentsOf } from '../page-view.ts'
import { type Maintenance, phaseOf, rememberedMs } from '../planned-maintenance.ts'
import { updatesOf } from './incident-html.ts'
import { escaped, textAround } from './markup.ts'
import type { Context } from './page-document.ts'

/** Windows that are open or come next; the others are folded. */
const shownAtOnce = 5

export function maintenanceSection(context: Context): string {
  const { view, words } = context
  const { heading, inProgress, announced, done, none, more } = words.maintenance
  const phase = (one: Maintenance) => phaseOf(one, view.atMs).name
  const open = view.maintenance.filter((one) => phase(one) !== 'completed')
  const openRows = open.map((one) =>
    maintenanceRow(one, phase(one) === 'in_progress' ? inProgress : announced, context),
  )
  const doneRows = view.maintenance
    .filter((one) => phase(one) === 'completed' && one.untilMs > view.atMs - rememberedMs)
    .reverse()
    .map((one) => maintenanceRow(one, done, context))
  const [first, others] = [openRows.slice(0, shownAtOnce), [...openRows.slice(shownAtOnce), ...doneRows]]
  const empty = open.length === 0 ? `<li class="note">${escaped(none)}</li>\n` : ''
  const folded =
    others.length === 0
      ? ''
      : `<li><details><summary>${escaped(more(others.length))}</summary><ul>${others.join('')}</ul></details></li>\n`
  return `<section>\n<h2>${escaped(heading)}</h2>\n<ul class="card rows">\n${empty}${first.join('')}${folded}</ul>\n</section>\n`
}

/** `state`: how far it has come, in words. */
export function maintenanceRow(one: Maintenance, state: string, context: Context): string {
  const { view, words, time } = context
  const { componentIds, fromMs, untilMs, written } = one
  const names = [...componentsOf(view)].filter(({ id }) => componentIds.includes(id)).map(({ name }) => name)
  const title = written?.title ?? names.join(', ')
  const when = textAround(words.maintenance.until, time(fromMs), time(untilMs))
  const about =
    written === null || names.length === 0 ? '' : `${escaped(words.incidents.touches(names.join(', ')))} · `
  const updates =
    written === null || written.updates.length === 0
      ? ''
      : `<ol class="updates" reversed>\n${updatesOf(written.updates, context)}</ol>`
  return `<li><div class="top"><h3>${escaped(title)}</h3><span class="note">${escaped(state)}</span></div><p class="note">${about}${when}</p>${updates}</li>\n`
}
