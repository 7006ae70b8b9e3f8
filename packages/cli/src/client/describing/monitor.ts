// client/describing/monitor.ts: one monitor for people: how it is and why, its incidents, its last events, and what happens
// next. v1 knows how it is, v2 what was configured; an edition without v2 says less.
import type { v1, v2 } from '@pulseward/client'
import { describeAction } from '@pulseward/contract/v1/words'
import { audienceFacts } from '../audience-facts.ts'
import { locationBlocks } from '../location-blocks.ts'
import { shownId } from '../named-monitor.ts'
import { nextSignal, signalBlocks } from '../push-facts.ts'
import { type MonitorDetail, readDetail, readWithState, stateFacts } from '../subjects/fleet.ts'
import { type Block, type Column, type Phrase, table } from '../table/block.ts'
import { listed, milliseconds, moment, wholeId } from '../table/values.ts'
import { known, next, type Reading } from './description.ts'
import { eventBlocks } from './events.ts'

const incidentsShown = 5

/** `resource` is null where no v2 is served. */
export async function describeMonitor(
  resource: v2.Monitor | null,
  named: string,
  { client, options }: Reading,
): Promise<readonly Block[]> {
  const { detail, state } = await readAll()
  const id = 'monitor_id' in detail ? detail.monitor_id : null
  const [events, incidents] = await Promise.all([
    eventBlocks(id, {}, { client, options }),
    resource === null
      ? null
      : client.listIncidents({ monitorID: resource.metadata.id, limit: incidentsShown }, options),
  ])
  const rows = incidents?.data.items ?? []
  return [
    known([
      ['Monitor', detail.name],
      ['ID', shownId(detail)],
      ...stateFacts(detail),
      ...('audience' in detail ? audienceFacts(detail.audience) : []),
      ['Acknowledged by', rows.find((one) => one.state === 'open')?.acknowledgedBy],
      ...definitionFacts(detail, resource),
    ]),
    ...next(nextOf(detail, state)),
    ...signalBlocks(detail),
    ...locationBlocks(detail),
    ...(rows.length === 0 ? [] : [table(incidentColumns, rows, { heading: 'Incidents', empty: '' })]),
    ...events,
  ]

  async function readAll() {
    if (resource !== null) return readWithState(client, resource.metadata.id, options)
    const found = await readDetail(client, named, options)
    if (!('monitor_id' in found)) return { detail: found, state: null }
    return readWithState(client, found.monitor_id, options)
  }
}

function definitionFacts(detail: MonitorDetail, resource: v2.Monitor | null) {
  const { metadata, spec } = resource ?? {}
  return [
    ['Certificate ends', moment(detail.certificate_expires_at)],
    ['Recovery', detail.recovery.driver],
    ['Depends on', listed(spec?.dependsOn)],
    ['Tags', listed(detail.tags)],
    ['Labels', labelsOf(metadata)],
    ['Managed by', metadata?.managedBy],
    ['Version', metadata?.resourceVersion],
  ] as const
}

export function labelsOf(metadata: v2.Metadata | undefined): string | null {
  return listed(Object.entries(metadata?.labels ?? {}).map(([key, value]) => `${key}=${value}`))
}

const incidentColumns: readonly Column<v2.Incident>[] = [
  { title: 'OPENED', cell: ({ openedAt }) => moment(openedAt) },
  { title: 'STATE', cell: ({ state }) => state, state: true },
  { title: 'LASTED', cell: lasted, dispensable: 1 },
  { title: 'REASON', cell: ({ reason }) => reason, minimum: 16 },
  { title: 'ACKNOWLEDGED', cell: ({ acknowledgedBy }) => acknowledgedBy, minimum: 12, dispensable: 3 },
  { title: 'INCIDENT', cell: ({ id }) => id, minimum: wholeId, dispensable: 2 },
]

export function lasted({ openedAt, closedAt }: Pick<v2.Incident, 'openedAt' | 'closedAt'>): string | null {
  if (openedAt === undefined || closedAt === undefined) return null
  return milliseconds(Date.parse(closedAt) - Date.parse(openedAt))
}

type Sentences = (string | Phrase)[]

function nextOf(detail: MonitorDetail, state: v1.State | v1.NextState | null): Sentences {
  const { snoozed_until: snoozedUntil, next_check: nextCheck, status } = detail
  const id = shownId(detail)
  const checks: Sentences =
    snoozedUntil !== null
      ? [['Checks and notifications start again at ', moment(snoozedUntil), '.']]
      : status === 'disabled'
        ? [`It is not checked until it is enabled: pulseward enable ${id}`]
        : (nextSignal(detail) ??
          (nextCheck === null ? [] : [['The next check is at ', moment(nextCheck), '.', ...afterIt(detail)]]))
  const held = state?.held_back ?? null
  return [
    ...checks,
    ...(held === null ? [] : [`It fails, yet no incident is open: ${held}.`]),
    ...actionSentences(state?.actions ?? []),
  ]
}

/** What the next checks decide. */
function afterIt(detail: MonitorDetail): Phrase {
  const { status, thresholds, verification } = detail
  if (status === 'incident' || (verification !== null && detail.incident))
    return [` The incident closes after ${closingChecks(detail)}.`]
  const missing = thresholds.unhealthy - detail.consecutive_failures
  if (status !== 'down' || missing <= 0 || detail.suppressed_by !== null || detail.maintenance.active)
    return []
  const what = detail.recovery.configured ? 'its recovery starts' : 'an incident opens'
  return [` After ${missing === 1 ? '1 more failure' : `${missing} more failures in a row`} ${what}.`]
}

/** The checks that an open incident still needs. */
export function closingChecks({ thresholds, verification }: MonitorDetail): string {
  if (verification === null)
    return `${thresholds.healthy} healthy check${thresholds.healthy === 1 ? '' : 's in a row'}`
  const missing = Math.max(1, verification.needed - verification.healthy)
  return `${missing} more healthy check${missing === 1 ? '' : 's'}`
}

type Action = v1.ActionEntry | v1.NextActionEntry

/** What is on its way, or waits for a person. */
export function actionSentences(actions: readonly Action[]): Sentences {
  return actions.flatMap((action): Sentences => {
    if (action.state === 'unknown') return [describeAction(action), reviewHint(action.id)]
    return action.state === 'queued' || action.state === 'started' ? [describeAction(action)] : []
  })
}

export function reviewHint(id: string): string {
  return `Find out what became of it and say so: pulseward review ${id} --resolution accepted|rejected|inconclusive --reason WHY`
}
