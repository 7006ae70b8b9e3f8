// api/send-problem.ts: the one place where a refusal becomes HTTP. An error that is not one of ours is an internal error, and
// its message stays in the log.
import { problemMediaType } from '@pulseward/contract'
import type { ProblemError } from '../requests/problem.ts'
import type { Exchange } from './exchange.ts'

export function sendProblem(exchange: Exchange, error: ProblemError): void {
  const problem = error.documentFor(exchange.id)
  if (error.retryAfterSeconds !== null) exchange.setHeader('retry-after', String(error.retryAfterSeconds))
  exchange.setHeaders({ ...error.headers, 'content-type': problemMediaType })
  exchange.send(problem.status, JSON.stringify(problem))
}
