// import/finish-fleet.ts: validates a draft as a fleet file. An invalid part is left out and noted; a monitor
// with an invalid check is left out as a whole. What remains is valid.
import { driverShapes, type MonitorDocument, MonitorValidator, valueMistakes } from '@pulseward/server'
import type { FleetDraft } from './fleet-draft.ts'
import { type PageDraft, withMonitors } from './page-draft.ts'
import type { CredentialSource, Secrets, Variable } from './secrets.ts'

export interface FinishedFleet {
  readonly head: Readonly<Record<string, unknown>>
  readonly monitors: readonly MonitorDocument[]
  readonly variables: readonly Variable[]
}

/** Parts that a monitor can do without. */
const optionalParts = new Set(['tags', 'labels', 'recovery', 'notify', 'maintenance'])

export function finishFleet(draft: FleetDraft): FinishedFleet {
  const validator = new MonitorValidator(driverShapes, 'always told')
  const monitors = draft.monitors.flatMap((monitor) => valid(monitor, validator, draft) ?? [])
  const endpoints = Object.fromEntries(draft.endpoints)
  const groups = Object.fromEntries(draft.groups)
  const onCall = {
    people: Object.fromEntries(draft.people),
    schedules: Object.fromEntries(draft.schedules),
    policies: Object.fromEntries(draft.policies),
  }
  const status_pages = pagesOf(draft, monitors)
  const used = new Set<string>()
  collectCredentials(endpoints, used)
  for (const { check, recovery } of monitors) {
    collectCredentials(check.config, used)
    collectCredentials(recovery?.config, used)
  }
  const credentials: Record<string, CredentialSource> = Object.fromEntries(
    Object.entries(draft.secrets.credentials).filter(([name]) => used.has(name)),
  )
  const variables = new Set(Object.values(credentials).map((source) => ('env' in source ? source.env : null)))
  return {
    head: { version: 1, ...unlessEmpty({ credentials, endpoints, groups, ...onCall, status_pages }) },
    monitors,
    variables: draft.secrets.variables.filter(({ name }) => variables.has(name)),
  }
}

/** A page shows what was carried over; one of which nothing was is left out and noted. */
function pagesOf(
  { statusPages, notes }: FleetDraft,
  monitors: readonly MonitorDocument[],
): Record<string, PageDraft> {
  const ids = new Set(monitors.map(({ id }) => id))
  return Object.fromEntries(
    [...statusPages].flatMap(([id, page]) => {
      const kept = withMonitors(page, (monitor) => ids.has(monitor))
      if (kept === null)
        notes.add(`status page ${page.title}`, '', 'is not carried over: none of its monitors is')
      return kept === null ? [] : [[id, kept] as const]
    }),
  )
}

function valid(
  monitor: MonitorDocument,
  validator: MonitorValidator,
  { notes, secrets }: FleetDraft,
): MonitorDocument | null {
  let left: Record<string, unknown> = { ...monitor }
  for (;;) {
    const mistake = validator.mistakes(left)?.[0] ?? misfit(left as MonitorDocument, secrets)
    if (mistake === undefined) return left as MonitorDocument
    const [part, index] = mistake.path
    const where = mistake.path.join('.')
    const why = (mistake.unshown ?? mistake.message).replace(/\.$/, '')
    if (typeof part !== 'string' || !optionalParts.has(part)) {
      notes.add(monitor.name, '', `is not carried over, since no check can be made of it: ${where}: ${why}`)
      return null
    }
    notes.add(monitor.name, part, `is not carried over: ${where}: ${why}`)
    const { [part]: wrong, ...others } = left
    const rest = Array.isArray(wrong) && typeof index === 'number' ? wrong.toSpliced(index, 1) : []
    left = rest.length === 0 ? others : { ...others, [part]: rest }
  }
}

interface Misfit {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly unshown?: string
}

/** A value that has become a credential must fit its field, or the file would be refused once the value is set. */
function misfit({ check, recovery }: MonitorDocument, secrets: Secrets): Misfit | undefined {
  const readValue = (name: string) => secrets.valueOf(name)
  const inCheck = valueMistakes(driverShapes.checks[check.type]!, check.config ?? {}, readValue)[0]
  if (inCheck !== undefined) return { ...inCheck, path: ['check', 'config', ...inCheck.path] }
  if (recovery === undefined) return undefined
  const inRecovery = valueMistakes(
    driverShapes.recoveries[recovery.type]!,
    recovery.config ?? {},
    readValue,
  )[0]
  return inRecovery === undefined
    ? undefined
    : { ...inRecovery, path: ['recovery', 'config', ...inRecovery.path] }
}

function collectCredentials(value: unknown, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  const { credential } = value as { credential?: unknown }
  if (typeof credential === 'string') names.add(credential)
  for (const inner of Object.values(value)) collectCredentials(inner, names)
}

function unlessEmpty(sections: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(Object.entries(sections).filter(([, section]) => Object.keys(section).length > 0))
}
