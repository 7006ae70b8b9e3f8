// acting/subject.ts: the subject of a dialog as it was when the dialog was opened. The service accepts a request only for
// this revision. The marks are read before the revision: every later change of it comes after them.
import type { v2 } from '@pulseward/contract'
import { ReadFailure } from '../data/failure.ts'
import type { History } from '../data/history.ts'
import { pathOf, readJson } from '../data/request.ts'
import type { V2Requests } from '../data/v2-request.ts'
import type { Asked } from './ask.ts'
import { isOfIncident } from './verbs.ts'

export interface Subject {
  readonly name: string
  readonly monitor: v2.Monitor
  /** Null if none is open and none was named. */
  readonly incident: v2.Incident | null
  readonly action: v2.Action | null
  /** Null if there is nothing the verb could apply to. */
  readonly revision: string | null
  readonly marks: Marks
}

/** Where the history ended when it was read. */
export interface Marks {
  /** The newest event of v1; null if there is none. */
  readonly lastEventId: string | null
  /** By the service's clock. */
  readonly readAt: string
}

export async function readSubject(
  asked: Asked,
  requests: V2Requests,
  signal: AbortSignal = new AbortController().signal,
): Promise<Subject> {
  const marks = await readMarks(asked.monitorId, requests, signal)
  const { body: monitor, version } = await requests.read<v2.Monitor>(monitorPath(asked.monitorId), signal)
  const incidentId = asked.incidentId ?? monitor.status?.incidentID
  const incident =
    incidentId === undefined || !isOfIncident(asked.verb)
      ? null
      : (await requests.read<v2.Incident>(incidentPath(incidentId), signal)).body
  const action =
    asked.actionId === undefined
      ? null
      : (await requests.read<v2.Action>(actionPath(asked.actionId), signal)).body
  const name = monitor.metadata.name ?? monitor.metadata.id
  const found = { name, monitor, incident, action, marks }
  return { ...found, revision: revisionOf(asked, found, version) }
}

async function readMarks(monitorId: string, requests: V2Requests, signal: AbortSignal): Promise<Marks> {
  const newest = pathOf('/api/v1/history', { monitor_id: monitorId, order: 'desc', limit: 1 })
  const { events } = await readJson<History>(newest, signal)
  const now = await requests.read<v2.EventList>(
    pathOf('/api/v2/history', { monitorID: monitorId, limit: 1 }),
    signal,
  )
  const readAt = now.body.generatedAt
  if (readAt === undefined) throw new ReadFailure('refused', 'The answer has no time.')
  return { lastEventId: events[0]?.id ?? null, readAt }
}

function revisionOf(
  { verb }: Asked,
  { monitor, incident, action }: Pick<Subject, 'monitor' | 'incident' | 'action'>,
  version: string | null,
): string | null {
  if (isOfIncident(verb)) return incident?.revision ?? null
  if (verb === 'review') return action?.reviewRevision ?? null
  if (verb === 'enable' || verb === 'disable') return version
  return monitor.status?.controlRevision ?? null
}

export function monitorPath(id: string): string {
  return `/api/v2/monitors/${encodeURIComponent(id)}`
}

export function incidentPath(id: string): string {
  return `/api/v2/incidents/${encodeURIComponent(id)}`
}

export function actionPath(id: string): string {
  return `/api/v2/actions/${encodeURIComponent(id)}`
}
