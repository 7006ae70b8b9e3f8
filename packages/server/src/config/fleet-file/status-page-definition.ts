// config/fleet-file/status-page-definition.ts: status pages as they are shown, from documents that have no mistakes.
import { createHash } from 'node:crypto'
import type { FleetHead } from './schema.ts'
import type { BadgeDefinition, StatusComponent, StatusPageDefinition } from './status-page.ts'
import type { BadgeDocument, ComponentDocument, StatusPageDocument } from './status-page-schema.ts'

const usualShare = '50%'

export function statusPageDefinitions({ status_pages }: FleetHead): Map<string, StatusPageDefinition> {
  return new Map(Object.entries(status_pages ?? {}).map(([id, page]) => [id, statusPageDefinition(page)]))
}

/** By names that tell nothing of their keys. */
export function badgeDefinitions({ badges }: FleetHead): Map<string, BadgeDefinition> {
  return new Map(
    Object.entries(badges ?? {}).map(([key, badge]) => {
      const keyDigest = badgeKeyDigest(key)
      return [`badge-${keyDigest.slice(0, 12)}`, badgeDefinition(badge, keyDigest)]
    }),
  )
}

export function badgeKeyDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function badgeDefinition(badge: BadgeDocument, keyDigest: string): BadgeDefinition {
  const { component = '', monitor, shows, label = null } = badge
  const [page = '', id = ''] = component.split('/')
  return { subject: monitor === undefined ? { page, id } : { monitor }, shows, label, keyDigest }
}

/** Undefined if no page has it. */
export function componentNamed(
  name: string,
  pages: Readonly<Record<string, StatusPageDocument>>,
): ComponentDocument | undefined {
  const [page = '', id] = name.split('/')
  const groups = Object.hasOwn(pages, page) ? (pages[page]?.groups ?? []) : []
  return groups.flatMap((group) => group?.components ?? []).find((component) => component?.id === id)
}

/** Files that it names have been read: status-page-files.ts puts what they say in their place. */
export function statusPageDefinition(page: StatusPageDocument): StatusPageDefinition {
  const { title, host = null, timezone = 'UTC', language = 'en', words = null, groups, links = [] } = page
  const { token_digests: tokenDigests = [], logo: { type, data } = {} } = page
  return {
    title,
    host,
    tokenDigests,
    timezone,
    language,
    words,
    logo: type === undefined || data === undefined ? null : { type, data },
    groups: groups.map(({ name, components }) => ({ name, components: components.map(componentOf) })),
    links: links.map(({ name, url }) => ({ name, url })),
  }
}

function componentOf(component: ComponentDocument): StatusComponent {
  const {
    id,
    name,
    description = null,
    monitors = [],
    match = null,
    down_when = usualShare,
    auto = false,
  } = component
  return {
    id,
    name,
    description,
    monitors: [...new Set(monitors)],
    match,
    downShare: Number.parseInt(down_when, 10) / 100,
    auto,
  }
}
