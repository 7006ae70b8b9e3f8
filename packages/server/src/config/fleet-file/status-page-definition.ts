// config/fleet-file/status-page-definition.ts: status pages as they are shown, from documents that have no mistakes.
import type { FleetHead } from './schema.ts'
import type { BadgeDefinition, StatusComponent, StatusPageDefinition } from './status-page.ts'
import type { BadgeDocument, ComponentDocument, StatusPageDocument } from './status-page-schema.ts'

const usualShare = '50%'

export function statusPageDefinitions({ status_pages }: FleetHead): Map<string, StatusPageDefinition> {
  return new Map(Object.entries(status_pages ?? {}).map(([id, page]) => [id, definitionOf(page)]))
}

export function badgeDefinitions({ badges, status_pages: pages }: FleetHead): Map<string, BadgeDefinition> {
  return new Map(
    Object.entries(badges ?? {}).flatMap(([key, badge]) => {
      const component = componentOf(componentFor(badge, pages ?? {}))
      return [[key, { component, shows: badge.shows, label: badge.label ?? null }]]
    }),
  )
}

/** A badge of a monitor is one of a component that has this monitor alone. */
function componentFor(
  { component = '', monitor }: BadgeDocument,
  pages: Readonly<Record<string, StatusPageDocument>>,
): ComponentDocument {
  if (monitor !== undefined) return { id: 'monitor', name: 'monitor', monitors: [monitor] }
  return componentNamed(component, pages)!
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

function definitionOf(page: StatusPageDocument): StatusPageDefinition {
  const { title, host = null, timezone = 'UTC', language = 'en', groups, links = [] } = page
  return {
    title,
    host,
    timezone,
    language,
    groups: groups.map(({ name, components }) => ({ name, components: components.map(componentOf) })),
    links: links.map(({ name, url }) => ({ name, url })),
  }
}

function componentOf(component: ComponentDocument): StatusComponent {
  const { id, name, description = null, monitors = [], match = null, down_when = usualShare } = component
  return {
    id,
    name,
    description,
    monitors: [...new Set(monitors)],
    match,
    downShare: Number.parseInt(down_when, 10) / 100,
  }
}
