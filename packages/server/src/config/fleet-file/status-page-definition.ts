// config/fleet-file/status-page-definition.ts: status pages as they are shown, from documents that have no mistakes.
import type { FleetHead } from './schema.ts'
import type { StatusComponent, StatusPageDefinition } from './status-page.ts'
import type { ComponentDocument, StatusPageDocument } from './status-page-schema.ts'

const usualShare = '50%'

export function statusPageDefinitions({ status_pages }: FleetHead): Map<string, StatusPageDefinition> {
  return new Map(Object.entries(status_pages ?? {}).map(([id, page]) => [id, definitionOf(page)]))
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
