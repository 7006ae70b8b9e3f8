// v2/about-monitor.ts: which components of a status page are made from a monitor, for those who write about it.
import type { Monitor } from './wire/monitor.ts'
import type { WrittenState } from './wire/status-incident.ts'
import type { StatusComponent, StatusPage } from './wire/status-page.ts'

type Described = Pick<Monitor, 'metadata' | 'spec'>

export function componentsWith({ groups }: StatusPage['spec'], monitor: Described): StatusComponent[] {
  return groups.flatMap(({ components }) => components).filter((component) => isOf(component, monitor))
}

function isOf({ monitorRefs = [], match }: StatusComponent, { metadata, spec }: Described): boolean {
  if (monitorRefs.includes(metadata.id)) return true
  if (match === undefined) return false
  return Object.entries(match).every(([key, value]) =>
    key === 'tag' ? (spec.tags ?? []).includes(value) : metadata.labels?.[key] === value,
  )
}

/** What one failing monitor suggests: it is all of the component, or a part. */
export function stateToWrite({ monitorRefs = [], match }: StatusComponent): WrittenState {
  return monitorRefs.length === 1 && match === undefined ? 'major_outage' : 'partial_outage'
}
