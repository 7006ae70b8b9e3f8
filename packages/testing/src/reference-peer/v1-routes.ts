// reference-peer/v1-routes.ts: answers the reads of v1 with their examples, and /metrics with a few lines of text.

import { type Operation, schemaIn } from '@pulseward/contract'
import { v1Api } from '@pulseward/contract/v1/api'
import { jsonAnswer, type PeerAnswer, problemAnswer } from './answer.ts'
import type { ReceivedRequest } from './received-request.ts'

export const metricsText =
  '# HELP pulseward_monitors Monitors.\n# TYPE pulseward_monitors gauge\npulseward_monitors 3\n'

const routes = Object.values<Operation>(v1Api.operations).map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace('{id}', '\\d+')}$`),
}))

/** The monitors of the story have no ids that look like numbers. */
export function isNumber(id: string | undefined): boolean {
  return id !== undefined && /^\d+$/.test(id)
}

export function answerV1({ method, path, query }: ReceivedRequest): PeerAnswer {
  const route = routes.find(({ pattern }) => pattern.test(path))
  if (route === undefined) return problemAnswer(404, 'not_found')
  if (method !== 'GET') return problemAnswer(405, 'method_not_allowed', { headers: { Allow: 'GET, HEAD' } })
  if (isNumber(query['monitor_id'])) return problemAnswer(404, 'monitor_not_found')
  if (path === '/metrics') {
    return { ...jsonAnswer(200, { 'Content-Type': 'text/plain; version=0.0.4' }, null), body: metricsText }
  }
  return jsonAnswer(200, {}, exampleOf(route.operation))
}

/** As the edition next answers. */
function exampleOf({ answers }: Operation): unknown {
  const schema = schemaIn(answers[200]!, 'next')
  const [name] = Object.entries(v1Api.schemas).find(([, named]) => named === schema) ?? ['']
  return (v1Api.examples as Readonly<Record<string, unknown>>)[name]
}
