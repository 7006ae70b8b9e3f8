// status-pages/machine/feeds.ts: what happens on a page, as Atom and as RSS: of the whole page, and of one component. An entry
// keeps its identity over its whole life, so a reader shows it once and notices when it changes.
import { createHash } from 'node:crypto'
import { escaped } from '../page/markup.ts'
import { pageWords } from '../page/page-words.ts'
import { componentsOf, type PageView } from '../page-view.ts'
import { type Maintenance, phaseOf } from '../planned-maintenance.ts'
import type { Rendered } from '../ready-file.ts'

interface Entry {
  /** Within the page. */
  readonly id: string
  readonly title: string
  readonly text: string
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
  const entries = view.maintenance
    .filter(({ componentIds }) => componentId === null || componentIds.includes(componentId))
    .map((one) => maintenanceEntry(view, one))
    .sort((one, other) => other.updatedMs - one.updatedMs)
  return {
    id: urn(view.id, componentId ?? ''),
    title: component === undefined ? view.title : `${view.title}: ${component.name}`,
    self: `${view.url}${path}`,
    view,
    entries,
  }
}

function maintenanceEntry(view: PageView, one: Maintenance): Entry {
  const words = pageWords[view.language]
  const { maintenance } = words
  const { name, sinceMs, announcedAtMs } = phaseOf(one, view.atMs)
  const names = [...componentsOf(view)].flatMap((component) =>
    one.componentIds.includes(component.id) ? component.name : [],
  )
  const time = new Intl.DateTimeFormat(words.locale, {
    dateStyle: 'medium',
    timeStyle: 'long',
    timeZone: view.timezone,
  })
  const phase = {
    scheduled: maintenance.announced,
    in_progress: maintenance.inProgress,
    completed: maintenance.done,
  }
  return {
    id: one.id,
    title: maintenance.title(names.join(', ')),
    text: `${phase[name]}: ${maintenance.until(time.format(one.fromMs), time.format(one.untilMs))}.`,
    publishedMs: announcedAtMs,
    updatedMs: sinceMs,
  }
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
<link rel="alternate" type="text/html" href="${escaped(view.url)}"/>
<content type="text">${escaped(one.text)}</content>
</entry>
`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${view.language}">
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
<link>${escaped(view.url)}</link>
<description>${escaped(one.text)}</description>
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
<language>${view.language}</language>
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
