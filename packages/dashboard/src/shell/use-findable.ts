// shell/use-findable.ts: what the palette can find beside views and monitors: commands of the present view, actions that the
// user may ask for, open incidents, and the public settings of the service.
import { useLocation } from 'wouter'
import { ask } from '../acting/ask.ts'
import { mayAsk } from '../acting/verbs.ts'
import { useConfig } from '../data/config.ts'
import { useIncidents } from '../data/incidents.ts'
import { useMay } from '../data/may.ts'
import type { MonitorRow } from '../data/monitors.ts'
import { bodyOf } from '../data/reading.ts'
import { useSession } from '../data/session.ts'
import { chooseAppearance } from '../theme/appearance.ts'
import { useRegisteredKeys } from './keys.ts'
import {
  type ActedOn,
  appearanceActions,
  type PaletteAction,
  verbActions,
  type Wish,
} from './palette-actions.ts'
import type { Findable } from './palette-choices.ts'

const mostIncidents = 100
const mostSubjects = 6

export function useFindable(wish: Wish, monitors: readonly MonitorRow[]): Findable {
  const [, navigate] = useLocation()
  const commands = useRegisteredKeys().filter(({ isCommand }) => isCommand === true)
  const open = bodyOf(useIncidents({ page: 1, size: mostIncidents }))?.incidents ?? []
  const config = bodyOf(useConfig())
  const mayCreate = useMay('CreateMonitor')
  const session = useSession()
  const { verb, rest } = wish
  const isAllowed = verb !== null && session.kind === 'signed-in' && mayAsk(session.session.role, verb)
  const incidents = open.map(({ incident_id: id, name, monitor_id: monitorId }) => ({ id, name, monitorId }))
  const wished = !isAllowed ? [] : verbActions(verb, subjectsOf(rest, incidents, monitors), askFor)
  return {
    commands,
    actions: [...appearanceActions(chooseAppearance), ...(mayCreate ? creations(navigate) : [])],
    wished,
    incidents,
    settings: Object.entries(config ?? {}).flatMap(([name, value]) =>
      typeof value === 'object' ? [] : [{ name: name.replaceAll('_', ' '), value: String(value) }],
    ),
  }
}

function askFor(verb: Parameters<typeof ask>[0]['verb'], { monitorId, incidentId }: ActedOn): void {
  ask({ verb, monitorId, ...(incidentId === undefined ? {} : { incidentId }) })
}

const made = [
  { name: 'New monitor', about: 'create add check', segment: 'monitors' },
  { name: 'New destination', about: 'create add notification endpoint', segment: 'endpoints' },
  { name: 'New route', about: 'create add notification', segment: 'routes' },
] as const

function creations(navigate: (path: string) => void): readonly PaletteAction[] {
  return made.map(({ name, about, segment }) => ({
    name,
    about,
    run: () => navigate(`/manage/new/${segment}`),
  }))
}

/** Open incidents whose monitor is named, or all of them; then monitors that were found by the name. */
function subjectsOf(
  rest: string,
  incidents: readonly {
    readonly id: string
    readonly name: string
    readonly monitorId?: string | undefined
  }[],
  monitors: readonly MonitorRow[],
): readonly ActedOn[] {
  const subjects = new Map<string, ActedOn>()
  for (const { id, name, monitorId } of incidents)
    if (monitorId !== undefined && name.toLowerCase().includes(rest.toLowerCase()))
      subjects.set(monitorId, { monitorId, name, incidentId: id })
  for (const { monitor_id: monitorId, name } of rest === '' ? [] : monitors)
    if (monitorId !== undefined && !subjects.has(monitorId)) subjects.set(monitorId, { monitorId, name })
  return [...subjects.values()].slice(0, mostSubjects)
}
