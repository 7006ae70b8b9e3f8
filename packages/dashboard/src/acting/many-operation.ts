// acting/many-operation.ts: one v2 operation over many monitors: opened with a frozen selection, activated by the user,
// followed to its end. Opening one changes nothing, so it may be repeated without the monitors that were refused.
import type { v2 } from '@pulseward/contract'
import { pathOf } from '../data/request.ts'
import type { V2Requests, WriteOutcome } from '../data/v2-request.ts'
import type { AskedOfMany } from './ask.ts'
import type { Names } from './choose-many.ts'
import type { Said } from './control-request.ts'
import { durationText, snoozeMs } from './snooze-length.ts'

export interface LeftOut {
  readonly id: string
  readonly why: 'file' | 'gone'
}

export type Opened =
  | { readonly kind: 'opened'; readonly operation: v2.Operation; readonly leftOut: readonly LeftOut[] }
  | { readonly kind: 'none-left'; readonly leftOut: readonly LeftOut[] }
  | { readonly kind: 'failed'; readonly sentence: string }

const operationsPath = '/api/v2/operations'
const pageLimit = 500
/** A refusal names at most a hundred mistakes: this many rounds cover everything that one operation accepts. */
const mostRounds = 101

export async function openOperation(
  requests: V2Requests,
  { verb }: AskedOfMany,
  names: Names,
  said: Said,
  serviceNowMs: number,
): Promise<Opened> {
  const reason = said.reason.trim()
  const words = {
    verb,
    ...(reason === '' ? {} : { reason }),
    ...(verb === 'snooze' ? { duration: durationText(snoozeMs(said.length, serviceNowMs) ?? 0) } : {}),
  }
  let ids = [...names.keys()]
  const leftOut: LeftOut[] = []
  for (let round = 0; round < mostRounds; round++) {
    if (ids.length === 0) return { kind: 'none-left', leftOut }
    const outcome = await requests.write<v2.Operation>({
      method: 'POST',
      path: operationsPath,
      body: { control: { ...words, ids } },
    })
    if (outcome.kind === 'done') return { kind: 'opened', operation: outcome.body, leftOut }
    if (outcome.kind === 'unknown')
      return { kind: 'failed', sentence: 'The answer was lost. Nothing was changed: ask again.' }
    const found = leftOutOf(outcome, ids)
    if (found.length === 0) return { kind: 'failed', sentence: outcome.sentence }
    leftOut.push(...found)
    const isOut = new Set(found.map(({ id }) => id))
    ids = ids.filter((id) => !isOut.has(id))
  }
  return { kind: 'failed', sentence: 'Too many of them cannot be changed here. Choose fewer.' }
}

/** The monitors that a refusal names by index; empty if it was also refused for another reason. */
export function leftOutOf(
  { errors }: Pick<Extract<WriteOutcome<never>, { kind: 'refused' }>, 'errors'>,
  ids: readonly string[],
): readonly LeftOut[] {
  const found: LeftOut[] = []
  for (const { field, reason } of errors) {
    const id = ids[Number(/^\/control\/ids\/(\d+)$/.exec(field)?.[1] ?? -1)]
    if (id !== undefined && reason === 'notAllowed') found.push({ id, why: 'file' })
    else if (id !== undefined && reason === 'notFound') found.push({ id, why: 'gone' })
    else return []
  }
  return found
}

export function operationPath({ id }: Pick<v2.Operation, 'id'>): string {
  return `${operationsPath}/${encodeURIComponent(id)}`
}

export async function readOperation(
  requests: V2Requests,
  operation: Pick<v2.Operation, 'id'>,
  signal: AbortSignal,
): Promise<v2.Operation> {
  return (await requests.read<v2.Operation>(pathOf(operationPath(operation), { limit: 1 }), signal)).body
}

/** The outcome of every item, once the operation has ended. */
export async function readOutcomes(
  requests: V2Requests,
  operation: Pick<v2.Operation, 'id'>,
  signal: AbortSignal,
): Promise<readonly v2.ApplyResult[]> {
  const outcomes: v2.ApplyResult[] = []
  let cursor: string | undefined
  do {
    const address = pathOf(operationPath(operation), { limit: pageLimit, cursor })
    const { body } = await requests.read<v2.Operation>(address, signal)
    outcomes.push(...(body.items ?? []))
    cursor = body.nextCursor
  } while (cursor !== undefined)
  return outcomes
}
