// core/call.ts: carries out one operation of a table, from its arguments to its response.
import { exchange } from './exchange.ts'
import type { CallOptions } from './method.ts'
import { isMutation, type OperationRow } from './operation-row.ts'
import { readAnswer } from './read-answer.ts'
import { type Arguments, prepareRequest } from './request.ts'
import type { Response } from './response.ts'
import { mostMs, positive, type Settings } from './settings.ts'

export async function call(
  settings: Settings,
  operation: string,
  row: OperationRow,
  given: Arguments = {},
  options: CallOptions = {},
): Promise<Response<unknown>> {
  const attempt = { operation, isMutation: isMutation(row) }
  const request = prepareRequest(settings, operation, row, given)
  const timeoutMs = Math.min(timeoutOf(settings, operation, options) + waitMsOf(row, given), mostMs)
  const { alsoAnswers } = row
  return exchange(
    settings,
    { attempt, request, timeoutMs, signal: options.signal, alsoAnswers },
    (answer, deadline) => readAnswer(settings, attempt, row, answer, deadline),
  )
}

export function timeoutOf(settings: Settings, operation: string, { timeoutMs }: CallOptions): number {
  return timeoutMs === undefined ? settings.timeoutMs : positive(operation, 'timeoutMs', timeoutMs)
}

/** A long poll is not late until the service should have answered. */
function waitMsOf({ longPoll }: OperationRow, given: Arguments): number {
  const { waitSeconds } = (given['body'] ?? {}) as { waitSeconds?: unknown }
  return longPoll && typeof waitSeconds === 'number' && waitSeconds > 0 ? waitSeconds * 1000 : 0
}
