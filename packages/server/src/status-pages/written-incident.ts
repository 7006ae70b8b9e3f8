// status-pages/written-incident.ts: what people wrote about incidents and maintenance, as a page shows it at a moment: an update
// is shown from its own time on. Pure.
import type { v2 } from '@pulseward/contract'
import { type ComponentState, worstOf } from './component-state.ts'
import type { Maintenance } from './planned-maintenance.ts'
import type { WrittenUpdate } from './written-update.ts'

/** As it was written: a resource of the kind StatusIncident. */
export interface Written {
  readonly id: string
  readonly spec: v2.StatusIncident['spec']
  readonly createdAt: number
  readonly updatedAt: number
  /** The page wrote it by itself: then its monitors say the state of the component. */
  readonly isAuto?: boolean
}

/** Everything that people wrote about pages. */
export interface WrittenSource {
  /** Changes with every write. */
  readonly version: () => number
  readonly of: (page: string) => readonly Written[]
}

export const nothingWritten: WrittenSource = { version: () => 0, of: () => [] }

export interface WrittenIncident {
  readonly id: string
  readonly title: string
  readonly phase: v2.IncidentPhase
  /** What it says of components while it lasts. */
  readonly states: readonly (readonly [componentId: string, state: ComponentState])[]
  readonly impact: ComponentState
  readonly startedAtMs: number
  readonly resolvedAtMs: number | null
  readonly changedAtMs: number
  /** The oldest first; at least one. */
  readonly updates: readonly WrittenUpdate[]
  /** Markdown. */
  readonly postmortem: string | null
  /** Nothing that it says of components counts before what their monitors say. */
  readonly isAuto: boolean
}

export interface WrittenNow {
  /** The newest first. */
  readonly incidents: readonly WrittenIncident[]
  readonly maintenance: readonly Maintenance[]
  /** When anything of it changes by itself: an update is shown, maintenance begins or ends. */
  readonly untilMs: number
}

/** `componentIds`: those that the page has; others are not shown. */
export function writtenNow(
  written: readonly Written[],
  componentIds: ReadonlySet<string>,
  nowMs: number,
): WrittenNow {
  const incidents: WrittenIncident[] = []
  const maintenance: Maintenance[] = []
  let untilMs = Number.POSITIVE_INFINITY
  const changesAt = (ms: number) => {
    if (ms > nowMs) untilMs = Math.min(untilMs, ms)
  }
  for (const one of written) {
    for (const { at } of one.spec.updates) changesAt(Date.parse(at))
    const { maintenance: planned } = one.spec
    if (planned === undefined) {
      const incident = incidentOf(one, componentIds, nowMs)
      if (incident !== null) incidents.push(incident)
      continue
    }
    changesAt(Date.parse(planned.from))
    changesAt(Date.parse(planned.until))
    maintenance.push(maintenanceOf(one, planned, componentIds, nowMs))
  }
  incidents.sort((one, other) => other.startedAtMs - one.startedAtMs)
  return { incidents, maintenance, untilMs }
}

/** Null if nothing of it is to be shown yet. */
function incidentOf(
  { id, spec, updatedAt, isAuto = false }: Written,
  componentIds: ReadonlySet<string>,
  nowMs: number,
): WrittenIncident | null {
  const updates = shownUpdates(spec, nowMs)
  const [first, last] = [updates[0], updates.at(-1)]
  if (first === undefined || last === undefined) return null
  const states = (spec.components ?? []).flatMap(({ id, state = 'operational' }) =>
    componentIds.has(id) ? [[id, state] as const] : [],
  )
  const phase = last.phase ?? 'investigating'
  return {
    id,
    title: spec.title,
    phase,
    states,
    impact: worstOf(states.map(([, state]) => state)),
    startedAtMs: first.atMs,
    resolvedAtMs: phase === 'resolved' ? last.atMs : null,
    changedAtMs: Math.max(last.atMs, Math.min(updatedAt, nowMs)),
    updates,
    postmortem: phase === 'resolved' ? (spec.postmortem ?? null) : null,
    isAuto,
  }
}

function maintenanceOf(
  { id, spec, createdAt }: Written,
  { from, until }: NonNullable<Written['spec']['maintenance']>,
  componentIds: ReadonlySet<string>,
  nowMs: number,
): Maintenance {
  return {
    id,
    fromMs: Date.parse(from),
    untilMs: Date.parse(until),
    componentIds: (spec.components ?? []).flatMap(({ id }) => (componentIds.has(id) ? [id] : [])),
    announcedAtMs: createdAt,
    written: { title: spec.title, updates: shownUpdates(spec, nowMs) },
  }
}

function shownUpdates({ updates }: Written['spec'], nowMs: number): WrittenUpdate[] {
  return updates
    .map(({ at, phase, text }) => ({ phase: phase ?? null, atMs: Date.parse(at), text }))
    .filter(({ atMs }) => atMs <= nowMs)
}

/** What unresolved incidents and maintenance say of components: it counts before what their monitors say. */
export function writtenStates(
  { incidents, maintenance }: Pick<WrittenNow, 'incidents' | 'maintenance'>,
  nowMs: number,
): ReadonlyMap<string, ComponentState> {
  const states = new Map<string, ComponentState>()
  for (const { fromMs, untilMs, componentIds } of maintenance)
    if (fromMs <= nowMs && nowMs < untilMs) for (const id of componentIds) states.set(id, 'under_maintenance')
  const ofIncidents = new Map<string, ComponentState>()
  for (const { resolvedAtMs, isAuto, states: said } of incidents)
    if (resolvedAtMs === null && !isAuto)
      for (const [id, state] of said)
        ofIncidents.set(id, worstOf([ofIncidents.get(id) ?? 'operational', state]))
  return new Map([...states, ...ofIncidents])
}
