// bulk/operation-views.ts: bulk operations, their outcomes and their mistakes as v2 shows them.

import { v2 } from '@pulseward/contract'
import { timestamp } from '../platform/wire.ts'
import { counted } from '../platform/wording.ts'
import type { V2FieldError } from '../requests/v2-problem.ts'
import type { StoredOutcome } from '../store/bulk.ts'
import type { FewPlaces } from './few-places.ts'
import type { KnownOperation } from './open-operations.ts'
import { isRunning, type State } from './operation-state.ts'
import type { FailedItem, Foreseen, Preflighted } from './work.ts'

/** When a client should poll again. */
export const retryAfterSeconds = 1

export function bulkView(id: string, { operation, uploaded, updatedAt }: KnownOperation): v2.Operation {
  const { principal, openedAt, control, contentDigest, itemCount, counts, reason } = operation
  const state = operation.state as State
  const done = (counts['created'] ?? 0) + (counts['updated'] ?? 0) + (counts['unchanged'] ?? 0)
  return {
    id,
    state,
    actor: principal,
    // The store keeps the values as the contract spells them.
    ...(control === null ? {} : { verb: control.verb as NonNullable<v2.Operation['verb']> }),
    createdAt: timestamp(openedAt),
    updatedAt: timestamp(updatedAt),
    ...(contentDigest === null ? {} : { contentDigest }),
    itemCount,
    uploaded,
    validated: operation.activatedBy !== null || state === 'validated',
    committed: done,
    applied: done,
    ...(isRunning(state) ? { retryAfterSeconds } : {}),
    ...(reason === null ? {} : { reason }),
  }
}

export function outcomeView({ id, outcome, oldVersion, newVersion, message }: StoredOutcome): v2.ApplyResult {
  const isDone = outcome === 'created' || outcome === 'updated' || outcome === 'unchanged'
  return {
    id,
    // The store keeps the values as the contract spells them.
    outcome: outcome as v2.ApplyResult['outcome'],
    ...(oldVersion === null ? {} : { oldVersion }),
    ...(newVersion === null ? {} : { newVersion }),
    ...(message === null ? {} : { message }),
    committed: isDone,
    applied: isDone,
  }
}

export function foreseenView(
  { itemId, outcome, oldChange }: Foreseen,
  versionOf: (change: number) => string,
): v2.ApplyResult {
  return {
    id: itemId,
    outcome: outcome as v2.ApplyResult['outcome'],
    ...(oldChange === null ? {} : { oldVersion: versionOf(oldChange) }),
  }
}

/** The expected outcomes of a collection that came in one request. */
export function preflightView(
  { contentDigest, failed, failedCount, foreseen, silent, fewPlaces }: Preflighted,
  versionOf: (change: number) => string,
): v2.Preflight {
  const valid = failedCount === 0
  const notes = [...silent.map(silentNote), ...fewPlaces.map(placesNote)]
  return {
    valid,
    contentDigest,
    items: valid
      ? foreseen.map((item) => foreseenView(item, versionOf))
      : failed.slice(0, v2.limits.preflightItems).map(failedView),
    ...(valid ? {} : { errors: collectionErrors(failed, failedCount) }),
    ...(notes.length === 0 ? {} : { notes: notes.slice(0, v2.limits.preflightItems) }),
  }
}

function silentNote(place: number): v2.FieldError {
  return {
    field: `/items/${place}/resource/spec/notifications/red`,
    message:
      'Nobody is told when this monitor fails: red names no endpoint and no group, and no route matches.',
  }
}

function placesNote({ place, words }: FewPlaces): v2.FieldError {
  return { field: `/items/${place}/resource/spec/check/locations`, message: words }
}

function failedView(item: FailedItem): v2.ApplyResult {
  return { id: item.itemId, outcome: 'failed', message: v2.itemMessage(item.source, item.errors) }
}

/** The first mistakes, in collection order. */
function collectionErrors(failed: readonly FailedItem[], failedCount: number): V2FieldError[] {
  const all = failed.flatMap(({ ordinal, errors }) =>
    errors.map(({ field, reason, message }) => ({
      field: `/items/${ordinal}/resource${field}`,
      reason,
      message,
    })),
  )
  const shown = all.slice(0, v2.limits.problemErrors)
  if (shown.length === all.length && failed.length === failedCount) return shown
  const message = `has ${counted(failedCount, 'item')} that ${failedCount === 1 ? 'is' : 'are'} wrong; the first mistakes are named`
  return [...shown, { field: '/items', reason: 'rule', message }]
}
