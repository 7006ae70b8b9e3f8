// data/request.ts: one GET of the API. Every way it can fail becomes a ReadFailure; each answer updates the
// connection state and the service's clock. Reaches no other host.
import { type Problem, problemMediaType } from '@pulseward/contract'
import { reportAnswer, reportSignedOut, reportSilence } from './connection.ts'
import { failureOf, ReadFailure } from './failure.ts'
import { hearServiceTime } from './service-clock.ts'

const timeoutMs = 20_000

/** Absent values are left out of the query. */
export type Parameters = Readonly<Record<string, string | number | null | undefined>>

export interface SendOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Of the browser; its default unless given. */
  readonly cache?: RequestCache
  /** How long the answer may take; 20 s unless given. */
  readonly waitMs?: number
}

export async function readJson<Body>(
  path: string,
  signal: AbortSignal,
  accept: readonly number[] = [],
): Promise<Body> {
  const response = await request(path, signal, accept)
  try {
    return (await response.json()) as Body
  } catch (error) {
    throw cutShort(error, signal)
  }
}

/** Statuses in `accept` count as answers like 200: readyz says no with 503. */
export async function request(
  path: string,
  signal: AbortSignal,
  accept: readonly number[] = [],
): Promise<Response> {
  const response = await send(path, signal)
  if (response.ok || accept.includes(response.status)) {
    reportAnswer(Date.now())
    return response
  }
  const failure = failureOf(response.status, await readProblem(response))
  if (failure.kind === 'signed-out') reportSignedOut()
  else if (failure.kind === 'unreachable') reportSilence(Date.now())
  else reportAnswer(Date.now())
  throw failure
}

export function pathOf(path: string, parameters: Parameters = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query}`
}

/** Fails only if the request or the answer was lost on the way. */
export async function send(
  path: string,
  signal: AbortSignal,
  { headers = {}, waitMs = timeoutMs, ...init }: SendOptions = {},
): Promise<Response> {
  const sentMs = Date.now()
  try {
    const response = await fetch(path, {
      ...init,
      signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]),
      headers: { accept: `application/json, ${problemMediaType}, */*;q=0.1`, ...headers },
    })
    hearServiceTime(response.headers.get('date'), sentMs)
    return response
  } catch (error) {
    throw cutShort(error, signal)
  }
}

/** A truncated answer is a failure; a request that the page itself aborted is not. */
export function cutShort(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return error
  reportSilence(Date.now())
  return new ReadFailure('unreachable', 'Pulseward does not answer.')
}

export async function readProblem(response: Response): Promise<Partial<Problem>> {
  if (!response.headers.get('content-type')?.startsWith(problemMediaType)) return {}
  return ((await response.json().catch(() => null)) ?? {}) as Partial<Problem>
}
