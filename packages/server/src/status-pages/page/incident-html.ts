// status-pages/page/incident-html.ts: what people wrote about an incident: on the front page, and on a page of its own.
import { componentsOf, type PageView } from '../page-view.ts'
import type { Rendered } from '../ready-file.ts'
import type { WrittenIncident } from '../written-incident.ts'
import type { WrittenUpdate } from '../written-update.ts'
import { markdown } from './markdown.ts'
import { escaped, textAround } from './markup.ts'
import { type Context, contextOf, pageDocument } from './page-document.ts'
import { stateGlyph } from './state-glyph.ts'

/** Where the page of an incident is, below the address of the page. */
export function incidentPath({ id }: Pick<WrittenIncident, 'id'>): string {
  return `incidents/${id}.html`
}

const ofIncident = /^incidents\/([a-z0-9-]+)\.html$/

/** Null if there is no such page. */
export function incidentPageAt(view: PageView, path: string): Rendered | null {
  const id = ofIncident.exec(path)?.[1]
  const incident = view.incidents.find((one) => one.id === id)
  return incident === undefined ? null : incidentPage(contextOf(view, '../'), incident)
}

function incidentPage(context: Context, incident: WrittenIncident): Rendered {
  const { words } = context
  const { title, postmortem } = incident
  const learned =
    postmortem === null
      ? ''
      : `<section>\n<h2>${escaped(words.incidents.postmortem)}</h2>\n<div class="card prose">${markdown(postmortem)}</div>\n</section>\n`
  const main = `<div class="card verdict ${shownImpact(incident)}">${stateGlyph(shownImpact(incident))}<div><h1>${escaped(title)}</h1>${aboutLine(incident, context)}</div></div>
${learned}<section>
<h2>${escaped(words.incidents.updates)}</h2>
<ol class="card rows" reversed>
${updatesOf(incident.updates, context)}</ol>
</section>
`
  return pageDocument(context, { title, main })
}

/** One that goes on, with all that was said of it. */
export function openIncident(incident: WrittenIncident, context: Context): string {
  const { root } = context
  return `<section class="card incident ${shownImpact(incident)}">
<h2><a href="${root}${incidentPath(incident)}">${escaped(incident.title)}</a></h2>
${aboutLine(incident, context)}
<ol class="updates" reversed>
${updatesOf(incident.updates, context)}</ol>
</section>
`
}

/** One of a list: what it was, when, and what was said last. */
export function incidentRow(incident: WrittenIncident, context: Context): string {
  const { root, words } = context
  const last = incident.updates.at(-1)!
  const phase = escaped(words.incidents.phase(incident.phase))
  return `<li><div class="top"><h3><a href="${root}${incidentPath(incident)}">${escaped(incident.title)}</a></h3><span class="note">${phase}</span></div><p class="note">${timesOf(incident, context)}</p><div class="prose">${markdown(last.text)}</div></li>\n`
}

/** What is over is shown as such. */
function shownImpact({ phase, impact }: WrittenIncident) {
  if (phase === 'resolved') return 'operational'
  return impact === 'operational' ? 'under_maintenance' : impact
}

function aboutLine(incident: WrittenIncident, context: Context): string {
  const { view, words } = context
  const touched = new Set(incident.states.map(([id]) => id))
  const names = [...componentsOf(view)].filter(({ id }) => touched.has(id)).map(({ name }) => name)
  const about = names.length === 0 ? '' : `${escaped(words.incidents.touches(names.join(', ')))} · `
  return `<p class="note">${about}${timesOf(incident, context)}</p>`
}

function timesOf({ startedAtMs, resolvedAtMs }: WrittenIncident, { words, time }: Context): string {
  return resolvedAtMs === null
    ? time(startedAtMs)
    : textAround(words.maintenance.until, time(startedAtMs), time(resolvedAtMs))
}

/** The newest first. */
export function updatesOf(updates: readonly WrittenUpdate[], { words, time }: Context): string {
  return updates
    .toReversed()
    .map(({ phase, atMs, text }) => {
      const said = phase === null ? '' : `<strong>${escaped(words.incidents.phase(phase))}</strong> · `
      return `<li><p class="note">${said}${time(atMs)}</p><div class="prose">${markdown(text)}</div></li>\n`
    })
    .join('')
}
