// api/send-problem.ts: the one place that turns errors into HTTP answers. An error of any other class is an
// internal error; its message is only logged.
import { problemMediaType } from '@pulseward/contract'
import type { ProblemError } from '../requests/problem.ts'
import type { Exchange } from './exchange.ts'

export function sendProblem(exchange: Exchange, error: ProblemError): void {
  const problem = error.documentFor(exchange.id)
  if (error.retryAfterSeconds !== null) exchange.setHeader('retry-after', String(error.retryAfterSeconds))
  exchange.setHeaders({ ...error.headers, 'content-type': problemMediaType })
  exchange.send(problem.status, JSON.stringify(problem))
}
