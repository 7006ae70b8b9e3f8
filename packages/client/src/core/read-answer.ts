// core/read-answer.ts: decodes the body of an answer. It must have the right content type, be complete, and
// be JSON; its schema is not checked.

import { isJson, isText, knownOf } from './answer-head.ts'
import { readText } from './bounded-body.ts'
import type { Deadline } from './deadline.ts'
import { type Attempt, failure, reasonOfBody } from './failure.ts'
import type { OperationRow } from './operation-row.ts'
import { envelopeOf, type Response } from './response.ts'
import type { Settings } from './settings.ts'

export async function readAnswer(
  settings: Settings,
  attempt: Attempt,
  row: OperationRow,
  answer: globalThis.Response,
  deadline: Deadline,
): Promise<Response<unknown>> {
  const answered = { ...attempt, answer: knownOf(settings, answer) }
  if (!(row.text ? isText(answer) : isJson(answer))) throw failure(answered, 'malformedAnswer')
  const text = await readText(answer.body, settings.maxResponseBytes).catch((error: unknown) => {
    throw failure(answered, reasonOfBody(error, deadline))
  })
  return { data: row.text ? text : parseJson(text, answered), ...envelopeOf(answer) }
}

function parseJson(text: string, attempt: Attempt): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw failure(attempt, 'malformedAnswer')
  }
}
