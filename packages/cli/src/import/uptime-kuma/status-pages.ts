// import/uptime-kuma/status-pages.ts: the status pages of Uptime Kuma with their groups: read from its tables, and carried over
// once it is known what became of each monitor.
import type { FleetDraft } from '../fleet-draft.ts'
import { pageDraft, pageHost } from '../page-draft.ts'
import { idOf, type KumaPage, type KumaSource, type Row } from './source.ts'

export function statusPagesIn(rowsOf: (table: string) => readonly Row[]): KumaPage[] {
  const groups = Map.groupBy(inOrder(rowsOf('group')), ({ status_page_id }) => idOf(status_page_id))
  const members = Map.groupBy(inOrder(rowsOf('monitor_group')), ({ group_id }) => idOf(group_id))
  const domains = Map.groupBy(rowsOf('status_page_cname'), ({ status_page_id }) => idOf(status_page_id))
  return rowsOf('status_page').map(({ id, slug, title, published, password }) => ({
    slug: textOf(slug),
    title: textOf(title) || textOf(slug),
    // Versions before this column published every page.
    isPublished: published !== 0,
    hasPassword: textOf(password) !== '',
    domains: (domains.get(idOf(id)) ?? []).map(({ domain }) => textOf(domain)),
    groups: (groups.get(idOf(id)) ?? []).map((group) => ({
      name: textOf(group['name']),
      monitors: (members.get(idOf(group['id'])) ?? []).flatMap(({ monitor_id }) => idOf(monitor_id) ?? []),
    })),
  }))
}

/** As people arranged them. */
function inOrder(rows: readonly Row[]): Row[] {
  const weightOf = ({ weight }: Row) => (typeof weight === 'number' ? weight : 0)
  return rows.toSorted((one, other) => weightOf(one) - weightOf(other))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** What a monitor of Uptime Kuma became. */
export interface Carried {
  readonly id: string
  readonly name: string
}

export function carryStatusPages(
  { statusPages, parents }: KumaSource,
  carried: ReadonlyMap<number, Carried>,
  draft: FleetDraft,
): void {
  const hosts = new Set<string>()
  for (const page of statusPages) {
    const subject = `status page ${page.title}`
    const say = (field: string, reason: string) => draft.notes.add(subject, field, reason)
    if (!page.isPublished) {
      say('', 'is not carried over: it is not published')
      continue
    }
    if (page.hasPassword) {
      say(
        'password',
        'keeps it from being carried over: write one with access: token, as docs/status-pages.md says',
      )
      continue
    }
    const groups = page.groups.map(({ name, monitors }) => ({
      name,
      members: monitors.flatMap((id) => {
        const monitor = carried.get(id)
        if (monitor !== undefined) return [{ name: monitor.name, monitors: [monitor.id] }]
        say('', `lacks ${JSON.stringify(parents.get(id)?.name ?? '')}, which is not a monitor here`)
        return []
      }),
    }))
    const host = page.domains.map(pageHost).find((one) => one !== null && !hosts.has(one)) ?? null
    if (host !== null) hosts.add(host)
    for (const domain of page.domains)
      if (host === null || pageHost(domain) !== host)
        say(
          'domain',
          `${JSON.stringify(domain)} is not carried over: a page has one host, which no other page has`,
        )
    const made = pageDraft(page.title, groups, { subject, notes: draft.notes })
    draft.statusPage(page.slug, host === null ? made : { ...made, host })
  }
}
