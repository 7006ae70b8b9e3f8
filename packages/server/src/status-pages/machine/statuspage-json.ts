// status-pages/machine/statuspage-json.ts: a page in the form that clients of Atlassian Statuspage read, field by field. What
// that form has and we do not know is null, as it is there.
import { createHash } from 'node:crypto'
import { type ComponentState, worstOf } from '../component-state.ts'
import { incidentPath } from '../page/incident-html.ts'
import { wordsOf } from '../page/page-words.ts'
import { type ComponentView, componentsOf, type GroupView, type PageView } from '../page-view.ts'
import { type Maintenance, phaseOf } from '../planned-maintenance.ts'
import type { Rendered } from '../ready-file.ts'
import type { WrittenIncident } from '../written-incident.ts'
import type { WrittenUpdate } from '../written-update.ts'

/** That form has no word for what is not known. */
const statusOf: Readonly<Record<ComponentState, string>> = {
  operational: 'operational',
  under_maintenance: 'under_maintenance',
  no_data: 'degraded_performance',
  degraded_performance: 'degraded_performance',
  partial_outage: 'partial_outage',
  major_outage: 'major_outage',
}

const indicatorOf: Readonly<Record<ComponentState, string>> = {
  operational: 'none',
  under_maintenance: 'maintenance',
  no_data: 'minor',
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
}

const documents: Readonly<Record<string, (view: PageView) => object>> = {
  summary: (view) => ({
    components: components(view),
    incidents: incidents(view, (one) => one.resolvedAtMs === null),
    scheduled_maintenances: maintenances(view, 'scheduled', 'in_progress'),
    status: status(view),
  }),
  status: (view) => ({ status: status(view) }),
  components: (view) => ({ components: components(view) }),
  incidents: (view) => ({ incidents: incidents(view, () => true) }),
  'incidents/unresolved': (view) => ({ incidents: incidents(view, (one) => one.resolvedAtMs === null) }),
  'scheduled-maintenances': (view) => ({
    scheduled_maintenances: maintenances(view, 'scheduled', 'in_progress', 'completed'),
  }),
  'scheduled-maintenances/upcoming': (view) => ({ scheduled_maintenances: maintenances(view, 'scheduled') }),
  'scheduled-maintenances/active': (view) => ({ scheduled_maintenances: maintenances(view, 'in_progress') }),
}

/** The paths of all documents, below the address of the page. */
export const statuspagePaths = Object.keys(documents).map((name) => `api/v2/${name}.json`)

export function statuspageJson(view: PageView, path: string): Rendered {
  const name = path.slice('api/v2/'.length, -'.json'.length)
  const body = { page: page(view), ...documents[name]!(view) }
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(body), isOpen: true }
}

function page({ id, title, url, timezone, changedAtMs }: PageView) {
  return { id, name: title, url, time_zone: timezone, updated_at: time(changedAtMs) }
}

function status(view: PageView) {
  const { state } = view
  return { indicator: indicatorOf[state], description: wordsOf(view).sentence(state) }
}

/** Each group before its components. */
function components(view: PageView): object[] {
  return view.groups.flatMap((group, index) => {
    const groupId = idOfGroup(view, group, index)
    return [
      groupEntry(view, group, groupId, index),
      ...group.components.map((component, place) => componentEntry(view, component, groupId, place)),
    ]
  })
}

function groupEntry(view: PageView, { name, components: members }: GroupView, id: string, index: number) {
  const changedAtMs = Math.max(...members.map((member) => member.changedAtMs))
  return {
    ...entry(view, { id, name, description: null, state: worstOf(members.map(({ state }) => state)) }),
    updated_at: time(changedAtMs),
    position: index + 1,
    group_id: null,
    group: true,
    components: members.map((member) => member.id),
  }
}

function componentEntry(view: PageView, component: ComponentView, groupId: string, place: number) {
  return {
    ...entry(view, component),
    updated_at: time(component.changedAtMs),
    position: place + 1,
    group_id: groupId,
    group: false,
  }
}

function entry(
  { id: pageId, sinceMs }: PageView,
  { id, name, description, state }: Pick<ComponentView, 'id' | 'name' | 'description' | 'state'>,
) {
  return {
    id,
    name,
    status: statusOf[state],
    created_at: time(sinceMs),
    updated_at: time(sinceMs),
    position: 0,
    description,
    showcase: false,
    start_date: null,
    group_id: null as string | null,
    page_id: pageId,
    group: false,
    only_show_if_degraded: false,
  }
}

function maintenances(view: PageView, ...phases: readonly string[]): object[] {
  return view.maintenance
    .filter((one) => phases.includes(phaseOf(one, view.atMs).name))
    .map((one) => maintenance(view, one))
}

function maintenance(view: PageView, one: Maintenance) {
  const { id: pageId, url, atMs } = view
  const { name: phase, sinceMs } = phaseOf(one, atMs)
  const { announcedAtMs, written } = one
  const touched = [...componentsOf(view)].filter(({ id }) => one.componentIds.includes(id))
  const names = touched.map(({ name }) => name).join(', ')
  const isDone = phase === 'completed'
  const ofUpdates = touched.map(({ id, name, state }) => affected(id, name, state))
  const title = written?.title ?? wordsOf(view).maintenance.title(names)
  return {
    id: one.id,
    name: title,
    status: phase,
    created_at: time(announcedAtMs),
    updated_at: time(Math.max(sinceMs, written?.updates.at(-1)?.atMs ?? 0)),
    monitoring_at: null,
    resolved_at: isDone ? time(one.untilMs) : null,
    impact: 'maintenance',
    shortlink: url,
    started_at: time(one.fromMs),
    page_id: pageId,
    incident_updates: [
      ...updatesOf(one.id, phase, written?.updates ?? [], ofUpdates),
      updateEntry(one.id, phase, phase, title, sinceMs, ofUpdates),
    ].sort((one, other) => (one.created_at < other.created_at ? 1 : -1)),
    components: placedEntries(view, touched),
    scheduled_for: time(one.fromMs),
    scheduled_until: time(one.untilMs),
  }
}

/** As many as Statuspage has. */
const mostIncidents = 50

function incidents(view: PageView, isMeant: (incident: WrittenIncident) => boolean): object[] {
  return view.incidents
    .filter(isMeant)
    .slice(0, mostIncidents)
    .map((one) => incident(view, one))
}

function incident(view: PageView, one: WrittenIncident) {
  const { id, title, phase, impact, startedAtMs, resolvedAtMs, changedAtMs, updates, postmortem } = one
  const said = new Map(one.states)
  const touched = [...componentsOf(view)].filter((component) => said.has(component.id))
  const ofUpdates = touched.map(({ id, name }) => affected(id, name, said.get(id)!))
  const status = postmortem === null ? phase : 'postmortem'
  const learned =
    postmortem === null ? [] : [updateEntry(id, status, status, postmortem, changedAtMs, ofUpdates)]
  return {
    id,
    name: title,
    status,
    created_at: time(startedAtMs),
    updated_at: time(changedAtMs),
    monitoring_at: timeOrNull(updates.find((update) => update.phase === 'monitoring')?.atMs),
    resolved_at: timeOrNull(resolvedAtMs),
    impact: indicatorOf[impact],
    shortlink: `${view.url}${incidentPath(one)}`,
    started_at: time(startedAtMs),
    page_id: view.id,
    incident_updates: [...learned, ...updatesOf(id, phase, updates, ofUpdates).reverse()],
    components: placedEntries(view, touched),
  }
}

function affected(code: string, name: string, state: ComponentState) {
  return { code, name, old_status: statusOf[state], new_status: statusOf[state] }
}

/** The oldest first. `status`: of those that name no phase. */
function updatesOf(
  id: string,
  status: string,
  updates: readonly WrittenUpdate[],
  components: readonly ReturnType<typeof affected>[],
) {
  return updates.map(({ phase, atMs, text }, index) => {
    const isOver = phase === 'resolved'
    const now = isOver ? components.map((one) => ({ ...one, new_status: statusOf.operational })) : components
    return updateEntry(id, String(index + 1), phase ?? status, text, atMs, now)
  })
}

/** `name`: its own among the updates of this incident. */
function updateEntry(
  id: string,
  name: string,
  status: string,
  body: string,
  atMs: number,
  components: readonly ReturnType<typeof affected>[],
) {
  return {
    id: `${id}-${name}`,
    status,
    body,
    incident_id: id,
    created_at: time(atMs),
    updated_at: time(atMs),
    display_at: time(atMs),
    affected_components: components,
    deliver_notifications: false,
    custom_tweet: null,
    tweet_id: null,
  }
}

function placedEntries(view: PageView, touched: readonly ComponentView[]) {
  return touched.map((component) => {
    const index = view.groups.findIndex(({ components: members }) => members.includes(component))
    const group = view.groups[index]!
    const groupId = idOfGroup(view, group, index)
    return componentEntry(view, component, groupId, group.components.indexOf(component))
  })
}

function timeOrNull(ms: number | null | undefined): string | null {
  return ms == null ? null : time(ms)
}

/** Other than the id of any component, which is a short word. */
function idOfGroup({ id }: PageView, { name }: GroupView, index: number): string {
  return createHash('sha256').update(`${id}\n${index}\n${name}`).digest('hex').slice(0, 24)
}

function time(ms: number): string {
  return new Date(ms).toISOString()
}
