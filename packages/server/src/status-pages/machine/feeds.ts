// status-pages/machine/feeds.ts: what happens on a page, as Atom and as RSS: of the whole page, and of one component. An entry
// keeps its identity over its whole life, so a reader shows it once and notices when it changes.
import { createHash } from 'node:crypto'
import { incidentPath } from '../page/incident-html.ts'
import { markdown } from '../page/markdown.ts'
import { escaped } from '../page/markup.ts'
import { wordsOf } from '../page/page-words.ts'
import { componentsOf, type PageView } from '../page-view.ts'
import { type Maintenance, phaseOf } from '../planned-maintenance.ts'
import type { Rendered } from '../ready-file.ts'
import type { WrittenIncident } from '../written-incident.ts'
import type { WrittenUpdate } from '../written-update.ts'

interface Entry {
  /** Within the page. */
  readonly id: string
  readonly title: string
  /** HTML. */
  readonly content: string
  /** Below the address of the page. */
  readonly path: string
  readonly publishedMs: number
  readonly updatedMs: number
}

interface Feed {
  readonly id: string
  readonly title: string
  /** Where it can be read again. */
  readonly self: string
  readonly view: PageView
  /** The newest first. */
  readonly entries: readonly Entry[]
}

const onePage = /^(?:feed|history)\.(atom|rss)$/
const oneComponent = /^components\/([a-z0-9-]+)\/(?:feed|history)\.(atom|rss)$/

/** More than a reader looks back. */
const mostEntries = 50

/** Null if there is no such feed. */
export function feedAt(view: PageView, path: string): Rendered | null {
  const [, format] = onePage.exec(path) ?? []
  if (format !== undefined) return rendered(feedOf(view, path, null), format)
  const [, componentId, ofComponent] = oneComponent.exec(path) ?? []
  if (ofComponent === undefined || componentId === undefined) return null
  const isKnown = [...componentsOf(view)].some(({ id }) => id === componentId)
  return isKnown ? rendered(feedOf(view, path, componentId), ofComponent) : null
}

function feedOf(view: PageView, path: string, componentId: string | null): Feed {
  const component = [...componentsOf(view)].find(({ id }) => id === componentId)
  const maintenance = view.maintenance
    .filter(({ componentIds }) => componentId === null || componentIds.includes(componentId))
    .map((one) => maintenanceEntry(view, one))
  const incidents = view.incidents
    .filter(({ states }) => componentId === null || states.some(([id]) => id === componentId))
    .map((one) => incidentEntry(view, one))
  const entries = [...maintenance, ...incidents]
    .sort((one, other) => other.updatedMs - one.updatedMs)
    .slice(0, mostEntries)
  return {
    id: urn(view.id, componentId ?? ''),
    title: component === undefined ? view.title : `${view.title}: ${component.name}`,
    self: `${view.url}${path}`,
    view,
    entries,
  }
}

function maintenanceEntry(view: PageView, one: Maintenance): Entry {
  const words = wordsOf(view)
  const { maintenance } = words
  const { name, sinceMs } = phaseOf(one, view.atMs)
  const { announcedAtMs, written } = one
  const names = [...componentsOf(view)].flatMap((component) =>
    one.componentIds.includes(component.id) ? component.name : [],
  )
  const time = timeOf(view)
  const phase = {
    scheduled: maintenance.announced,
    in_progress: maintenance.inProgress,
    completed: maintenance.done,
  }
  return {
    id: one.id,
    title: written?.title ?? maintenance.title(names.join(', ')),
    content: `<p>${escaped(`${phase[name]}: ${maintenance.until(time.format(one.fromMs), time.format(one.untilMs))}.`)}</p>${updatesOf(view, written?.updates ?? [])}`,
    path: '',
    publishedMs: announcedAtMs,
    updatedMs: Math.max(sinceMs, written?.updates.at(-1)?.atMs ?? 0),
  }
}

function incidentEntry(view: PageView, one: WrittenIncident): Entry {
  const learned = one.postmortem === null ? '' : markdown(one.postmortem)
  return {
    id: one.id,
    title: one.title,
    content: `${learned}${updatesOf(view, one.updates)}`,
    path: incidentPath(one),
    publishedMs: one.startedAtMs,
    updatedMs: one.changedAtMs,
  }
}

/** The newest first. */
function updatesOf(view: PageView, updates: readonly WrittenUpdate[]): string {
  const { phase: phases } = wordsOf(view).incidents
  const time = timeOf(view)
  return updates
    .toReversed()
    .map(({ phase, atMs, text }) => {
      const said = phase === null ? '' : `<strong>${escaped(phases(phase))}</strong> `
      return `<p>${said}${escaped(time.format(atMs))}</p>${markdown(text)}`
    })
    .join('')
}

function timeOf(view: PageView): Intl.DateTimeFormat {
  const { locale } = wordsOf(view)
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', timeZone: view.timezone })
}

function rendered(feed: Feed, format: string): Rendered {
  const type = `application/${format === 'atom' ? 'atom' : 'rss'}+xml; charset=utf-8`
  return { type, body: format === 'atom' ? atom(feed) : rss(feed), isOpen: true }
}

function atom({ id, title, self, view, entries }: Feed): string {
  const items = entries.map(
    (one) => `<entry>
<id>${urn(view.id, one.id)}</id>
<title>${escaped(one.title)}</title>
<published>${iso(one.publishedMs)}</published>
<updated>${iso(one.updatedMs)}</updated>
<link rel="alternate" type="text/html" href="${escaped(view.url + one.path)}"/>
<content type="html">${escaped(one.content)}</content>
</entry>
`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escaped(view.language)}">
<id>${id}</id>
<title>${escaped(title)}</title>
<updated>${iso(entries[0]?.updatedMs ?? view.sinceMs)}</updated>
<author><name>${escaped(view.title)}</name></author>
<link rel="self" type="application/atom+xml" href="${escaped(self)}"/>
<link rel="alternate" type="text/html" href="${escaped(view.url)}"/>
${items.join('')}</feed>
`
}

function rss({ title, self, view, entries }: Feed): string {
  const items = entries.map(
    (one) => `<item>
<guid isPermaLink="false">${urn(view.id, one.id)}</guid>
<title>${escaped(one.title)}</title>
<link>${escaped(view.url + one.path)}</link>
<description>${escaped(one.content)}</description>
<pubDate>${new Date(one.updatedMs).toUTCString()}</pubDate>
</item>
`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${escaped(title)}</title>
<link>${escaped(view.url)}</link>
<description>${escaped(title)}</description>
<language>${escaped(view.language)}</language>
<lastBuildDate>${new Date(entries[0]?.updatedMs ?? view.sinceMs).toUTCString()}</lastBuildDate>
<atom:link rel="self" type="application/rss+xml" href="${escaped(self)}"/>
${items.join('')}</channel>
</rss>
`
}

/** An identity that stays the same when the address of the page changes: a UUID of version 8. */
function urn(page: string, entry: string): string {
  const hex = createHash('sha256').update(`${page}\n${entry}`).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4]
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
