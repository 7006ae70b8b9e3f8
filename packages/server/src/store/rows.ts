// store/rows.ts: converts what is kept to rows of text and numbers, and back. Runs in the controller's thread, so
// that the store thread moves bytes without interpreting them. Null fields of events are omitted: there are many.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type Action, isOpen, isUnsettled } from '../deciding/actions/action.ts'
import type { DestinationRecord } from '../deciding/actions/destination.ts'
import { destinationIsGone } from '../deciding/actions/destination.ts'
import type { Health } from '../deciding/health/health.ts'
import { stableHash } from '../platform/string-hash.ts'
import type { SloSnapshot } from '../slo/slo-snapshot.ts'
import { type IncidentChange, incidentChange, notHandled, type StoredIncident } from './incident.ts'
import {
  emptyEvent,
  isResourceEvent,
  type StoredEvent,
  type StoredState,
  type StoreIdentity,
} from './store.ts'

/** What an event of a batch changes about an incident; the commit assigns positions. */
export interface IncidentRow {
  /** The index of the event in its batch. */
  readonly index: number
  readonly id: string
  readonly is: 'opened' | 'closed' | 'handled'
  readonly numericId: number
  /** What the event adds to the incident, as JSON. */
  readonly body: string
}

export interface KeptIncident {
  readonly opened: number
  readonly body: string
}

export interface EventRow {
  readonly numericId: number | null
  readonly at: number
  readonly body: string
  /** It is about a write to a resource. */
  readonly isOfResource?: boolean
}

export interface ActionRow {
  readonly id: string
  /** Null for a digest, which is about many monitors. */
  readonly monitorId: string | null
  readonly monitorHash: number
  /** 2: queued or started, 1: ended but not cleared up, 0: settled. */
  readonly unsettled: number
  readonly changedAt: number
  readonly body: string
}

export interface StateRow {
  readonly numericId: number
  /** Null to remove it. */
  readonly body: string | null
}

/** Events, and their changes to incidents. */
export interface EventRows {
  readonly events: readonly EventRow[]
  readonly incidents: readonly IncidentRow[]
}

export function eventRows(events: readonly StoredEvent[]): EventRows {
  return {
    events: events.map((event) => ({
      numericId: event.numericId,
      at: event.at,
      body: eventText(event),
      isOfResource: isResourceEvent(event),
    })),
    incidents: incidentRows(events),
  }
}

export function stateRow({ numericId, health }: StoredState): StateRow {
  return { numericId, body: health === null ? null : JSON.stringify(health) }
}

/** Returns few rows: most events are not about incidents. */
function incidentRows(events: readonly StoredEvent[]): IncidentRow[] {
  const rows: IncidentRow[] = []
  for (const [index, event] of events.entries()) {
    const change = incidentChange(event)
    if (change === null) continue
    const { is, id } = change
    rows.push({ index, is, id, numericId: event.numericId ?? 0, body: JSON.stringify(addedBy(change)) })
  }
  return rows
}

function addedBy(change: IncidentChange): object {
  switch (change.is) {
    case 'opened':
      return {
        id: change.id,
        monitorId: change.monitorId,
        openedAt: change.at,
        because: change.because ?? undefined,
      }
    case 'closed':
      return { at: change.at, outcome: change.outcome }
    case 'handled':
      return change.handling
  }
}

export function incidentOf({ opened, body }: KeptIncident): StoredIncident {
  const { handling, ...incident } = JSON.parse(body)
  return { closed: null, because: null, ...incident, opened, handling: { ...notHandled, ...handling } }
}

export function actionRow(action: Action): ActionRow {
  const { id, monitorId, queuedAt, startedAt, finishedAt } = action
  return {
    id,
    monitorId,
    monitorHash: stableHash(monitorId ?? ''),
    unsettled: isOpen(action) ? 2 : isUnsettled(action) ? 1 : 0,
    changedAt: finishedAt ?? startedAt ?? queuedAt,
    body: actionText(action),
  }
}

/** Omits the nulls that reading restores: they take as much space as the reasons of an action. */
function actionText(action: Action): string {
  return JSON.stringify({
    ...action,
    acknowledgedBy: action.acknowledgedBy ?? undefined,
    because: action.because ?? undefined,
    since: action.since ?? undefined,
    untold: action.untold ?? undefined,
    review: action.review ?? undefined,
  })
}

export function eventOf(body: string): StoredEvent {
  return { ...emptyEvent, ...JSON.parse(body) }
}

export function actionOf(body: string): Action {
  const action: Action = JSON.parse(body)
  const { outcome } = action
  // Actions of earlier versions lack these; those of this version omit them if null.
  const owesGreen = action.color === 'green' && (outcome === 'superseded' || outcome === 'expired')
  const lacking = {
    since: null,
    acknowledgedBy: null,
    because: null,
    triedSince: action.startedAt,
    untold: null,
    owesGreen,
    review: null,
  }
  const followUp = action.followUp && { ...{ because: null }, ...action.followUp }
  return { ...lacking, ...action, followUp }
}

export function healthOf(body: string): Health {
  const health: Health = JSON.parse(body)
  const { episode } = health
  const incident = episode?.incident ?? null
  // States of earlier versions lack the fields of controls.
  return {
    ...{ snooze: null, control: null },
    ...health,
    episode:
      episode === null || incident === null
        ? episode
        : { ...episode, incident: { ...{ retell: false, handling: null }, ...incident } },
  }
}

export function destinationsOf(body: string): readonly DestinationRecord[] {
  return JSON.parse(body).map((record: DestinationRecord | { since: number }) => {
    if (!('since' in record)) return record
    // The format from when only dead destinations were kept.
    const { since, ...rest } = record
    return {
      ...rest,
      dead: { since, reason: destinationIsGone },
      ailing: null,
      digestedUpTo: null,
      digestedAt: null,
    }
  })
}

export function identityText({ id, key }: StoreIdentity): string {
  return JSON.stringify({ id, key: Buffer.from(key).toString('base64') })
}

export function storeIdentityOf(body: string): StoreIdentity {
  const { id, key } = JSON.parse(body)
  return { id, key: Uint8Array.from(Buffer.from(key, 'base64')) }
}

export function sloText({ gaps, recovery, drivers, ...rest }: SloSnapshot): string {
  return JSON.stringify({
    ...rest,
    gaps: packed(gaps),
    recovery: packed(recovery),
    drivers: drivers.map(({ name, cells }) => ({ name, cells: packed(cells) })),
  })
}

export function sloOf(text: string): SloSnapshot {
  const { gaps, recovery, drivers, ...rest } = JSON.parse(text)
  return {
    ...rest,
    gaps: new Float64Array(bytesOf(gaps)),
    recovery: new Uint32Array(bytesOf(recovery)),
    drivers: drivers.map((driver: { name: string; cells: string }) => ({
      name: driver.name,
      cells: new Uint32Array(bytesOf(driver.cells)),
    })),
  }
}

/** Nearly all cells of a window are zero: a small fleet must not write megabytes per minute. */
function packed(column: Float64Array | Uint32Array): string {
  const bytes = Buffer.from(column.buffer, column.byteOffset, column.byteLength)
  return deflateRawSync(bytes, { level: 1 }).toString('base64')
}

/** In a new buffer: typed arrays must be aligned. */
function bytesOf(text: string): ArrayBuffer {
  return Uint8Array.from(inflateRawSync(Buffer.from(text, 'base64'))).buffer
}

/** JSON omits undefined members; an object of a constant shape is serialized several times faster than a new one. */
function eventText(event: StoredEvent): string {
  return JSON.stringify({
    at: event.at,
    type: event.type,
    monitorId: event.monitorId ?? undefined,
    numericId: event.numericId ?? undefined,
    revision: event.revision ?? undefined,
    incidentId: event.incidentId ?? undefined,
    actionId: event.actionId ?? undefined,
    kind: event.kind ?? undefined,
    color: event.color ?? undefined,
    endpoint: event.endpoint ?? undefined,
    outcome: event.outcome ?? undefined,
    actor: event.actor ?? undefined,
    detail: event.detail ?? undefined,
    because: event.because ?? undefined,
    resource: event.resource,
    changes: event.changes,
  } satisfies { [Key in keyof StoredEvent]-?: NonNullable<StoredEvent[Key]> | undefined })
}
