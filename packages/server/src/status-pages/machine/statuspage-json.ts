// status-pages/machine/statuspage-json.ts: a page in the form that clients of Atlassian Statuspage read, field by field. What
// that form has and we do not know is null, as it is there.
import { createHash } from 'node:crypto'
import { type ComponentState, worstOf } from '../component-state.ts'
import { pageWords } from '../page/page-words.ts'
import { type ComponentView, componentsOf, type GroupView, type PageView } from '../page-view.ts'
import { type Maintenance, phaseOf } from '../planned-maintenance.ts'
import type { Rendered } from '../ready-file.ts'

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
    incidents: [],
    scheduled_maintenances: maintenances(view, 'scheduled', 'in_progress'),
    status: status(view),
  }),
  status: (view) => ({ status: status(view) }),
  components: (view) => ({ components: components(view) }),
  incidents: () => ({ incidents: [] }),
  'incidents/unresolved': () => ({ incidents: [] }),
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

function status({ state, language }: PageView) {
  return { indicator: indicatorOf[state], description: pageWords[language].sentence[state] }
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
  const { language, id: pageId, url, atMs } = view
  const { name: phase, sinceMs, announcedAtMs } = phaseOf(one, atMs)
  const touched = [...componentsOf(view)].filter(({ id }) => one.componentIds.includes(id))
  const names = touched.map(({ name }) => name).join(', ')
  const isDone = phase === 'completed'
  return {
    id: one.id,
    name: pageWords[language].maintenance.title(names),
    status: phase,
    created_at: time(announcedAtMs),
    updated_at: time(sinceMs),
    monitoring_at: null,
    resolved_at: isDone ? time(one.untilMs) : null,
    impact: 'maintenance',
    shortlink: url,
    started_at: time(one.fromMs),
    page_id: pageId,
    incident_updates: [
      {
        id: `${one.id}-${phase}`,
        status: phase,
        body: pageWords[language].maintenance.title(names),
        incident_id: one.id,
        created_at: time(sinceMs),
        updated_at: time(sinceMs),
        display_at: time(sinceMs),
        affected_components: touched.map(({ id, name, state }) => ({
          code: id,
          name,
          old_status: statusOf[state],
          new_status: statusOf[state],
        })),
        deliver_notifications: false,
        custom_tweet: null,
        tweet_id: null,
      },
    ],
    components: touched.map((component) => {
      const index = view.groups.findIndex(({ components: members }) => members.includes(component))
      const group = view.groups[index]!
      const groupId = idOfGroup(view, group, index)
      return componentEntry(view, component, groupId, group.components.indexOf(component))
    }),
    scheduled_for: time(one.fromMs),
    scheduled_until: time(one.untilMs),
  }
}

/** Other than the id of any component, which is a short word. */
function idOfGroup({ id }: PageView, { name }: GroupView, index: number): string {
  return createHash('sha256').update(`${id}\n${index}\n${name}`).digest('hex').slice(0, 24)
}

function time(ms: number): string {
  return new Date(ms).toISOString()
}
