// data/v2-request.ts: requests to v2 with the session of the page: the browser adds the cookie, this file the CSRF token
// as a header. A read fails like any read of the page. A write is sent once and never retried: it was done, it was
// refused with all mistakes that the service named, or its outcome is unknown because the answer was lost.
import { csrfHeader, type v2 } from '@pulseward/contract'
import { useMemo } from 'react'
import { reportAnswer } from './connection.ts'
import { failureOf, ReadFailure } from './failure.ts'
import { cutShort, readProblem, send } from './request.ts'
import { useSession } from './session.ts'

export interface V2Write {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly mediaType?: string
  /** The version without quotes. */
  readonly ifMatch?: string
  readonly isCreate?: boolean
  /** How long the answer may take, for what takes its time. */
  readonly waitMs?: number
}

export type WriteOutcome<Body> =
  | { readonly kind: 'done'; readonly body: Body; readonly version: string | null }
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly code: string | null
      readonly sentence: string
      readonly errors: readonly v2.FieldError[]
    }
  /** It may or may not have happened. */
  | { readonly kind: 'unknown' }

export interface V2Requests {
  read<Body>(path: string, signal: AbortSignal): Promise<{ body: Body; version: string | null }>
  write<Body>(asked: V2Write, signal?: AbortSignal): Promise<WriteOutcome<Body>>
}

/** Null while the user is signed out. */
export function useV2(): V2Requests | null {
  const state = useSession()
  const csrf = state.kind === 'signed-in' ? state.session.csrf : null
  return useMemo(() => (csrf === null ? null : v2Requests(csrf)), [csrf])
}

export function v2Requests(csrf: string): V2Requests {
  return {
    async read<Body>(path: string, signal: AbortSignal) {
      const response = await send(path, signal, { headers: { [csrfHeader]: csrf } })
      reportAnswer(Date.now())
      if (!response.ok) throw failureOf(response.status, await readProblem(response))
      return { body: await bodyOf<Body>(response, signal), version: versionOf(response) }
    },
    async write<Body>(asked: V2Write, signal = new AbortController().signal) {
      try {
        return await outcomeOf<Body>(await send(asked.path, signal, optionsOf(asked, csrf)), signal)
      } catch (error) {
        if (error instanceof ReadFailure) return { kind: 'unknown' }
        throw error
      }
    },
  }
}

/** A truncated answer counts as lost. */
async function bodyOf<Body>(response: Response, signal: AbortSignal): Promise<Body> {
  try {
    return (await response.json()) as Body
  } catch (error) {
    throw cutShort(error, signal)
  }
}

function optionsOf(asked: V2Write, csrf: string) {
  const headers: Record<string, string> = { [csrfHeader]: csrf }
  if (asked.ifMatch !== undefined) headers['if-match'] = `"${asked.ifMatch}"`
  if (asked.isCreate === true) headers['if-none-match'] = '*'
  const wait = asked.waitMs === undefined ? {} : { waitMs: asked.waitMs }
  if (asked.body === undefined) return { method: asked.method, headers, ...wait }
  headers['content-type'] = asked.mediaType ?? 'application/json'
  return { method: asked.method, headers, body: JSON.stringify(asked.body), ...wait }
}

async function outcomeOf<Body>(response: Response, signal: AbortSignal): Promise<WriteOutcome<Body>> {
  reportAnswer(Date.now())
  if (response.ok)
    return { kind: 'done', body: await bodyOf<Body>(response, signal), version: versionOf(response) }
  const problem = (await readProblem(response)) as Partial<v2.Problem>
  const { status } = response
  // Only these statuses guarantee that nothing was done.
  const isRefusal = status < 500 || status === 501 || (status === 503 && response.headers.has('retry-after'))
  if (!isRefusal) return { kind: 'unknown' }
  const sentence = problem.detail ?? `The request was refused (${status}).`
  return { kind: 'refused', status, code: problem.code ?? null, sentence, errors: problem.errors ?? [] }
}

function versionOf(response: Response): string | null {
  return /^"(.+)"$/.exec(response.headers.get('etag') ?? '')?.[1] ?? null
}
