// data/session.ts: who is signed in, if the service has sessions (the edition next). The session id is in a
// cookie that scripts cannot read; the page knows only the name, the role and the CSRF token. Signing in or
// out discards everything read before: it may have been for another user.
import { type Config, type Session, type SignIn, sessionEditions, sessionPath } from '@pulseward/contract'
import { useEffect, useState } from 'react'
import { createStore, useStore } from '../store.ts'
import { useConfig } from './config.ts'
import { reportAnswer, useConnection } from './connection.ts'
import { ReadFailure } from './failure.ts'
import { queryClient } from './query-client.ts'
import { bodyOf } from './reading.ts'
import { readProblem, type SendOptions, send } from './request.ts'

export type SessionState =
  /** The service has not answered yet. */
  | { readonly kind: 'unknown' }
  /** This edition has no sessions. */
  | { readonly kind: 'not-served' }
  /** `hasEnded`: it ended without a request from this page. */
  | { readonly kind: 'signed-out'; readonly hasEnded: boolean }
  | { readonly kind: 'signed-in'; readonly session: Session }

/** Also notices that another tab has signed in. */
const waitingEveryMs = 5_000
const usualEveryMs = 30_000

const current = createStore<SessionState>({ kind: 'unknown' })

export function useSession(): SessionState {
  return useStore(current)
}

/** For the one component around everything: asks who is signed in, and keeps asking. */
export function useFollowedSession(): SessionState {
  const told = useToldEdition()
  const isSignedOut = useConnection().state === 'signed-out'
  // If the page was served but may read nothing, its edition has sign-in on the page.
  const mayBeServed = told === null ? isSignedOut : servesSessions.has(told)
  useEffect(() => {
    if (!mayBeServed) return
    const leaving = new AbortController()
    const look = () => {
      if (!document.hidden) void lookAtSession(isSignedOut, leaving.signal)
    }
    look()
    const timer = setInterval(look, isSignedOut ? waitingEveryMs : usualEveryMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      leaving.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [mayBeServed, isSignedOut])
  const state = useStore(current)
  return mayBeServed || told === null ? state : notServed
}

const servesSessions: ReadonlySet<Config['edition']> = new Set(sessionEditions)
const notServed: SessionState = { kind: 'not-served' }

/** The last edition that the service reported, even if it no longer answers; null before the first. */
function useToldEdition(): Config['edition'] | null {
  const now = bodyOf(useConfig())?.edition ?? null
  const [last, setLast] = useState(now)
  if (now !== null && now !== last) setLast(now)
  return now ?? last
}

async function lookAtSession(isSignedOut: boolean, signal: AbortSignal): Promise<void> {
  const before = current.get()
  const response = await ask({}, signal)
  // Signing in or out meanwhile has set a newer state.
  if (response === null || signal.aborted || current.get() !== before) return
  if (response.ok) {
    const session = (await response.json()) as Session
    if (current.get() !== before) return
    const wasThis = before.kind === 'signed-in' && isSame(before.session, session)
    if (!wasThis) current.set({ kind: 'signed-in', session })
    // Another tab may have signed in as another user.
    if (isSignedOut || (before.kind === 'signed-in' && !wasThis)) startOver()
    return
  }
  const { code } = await readProblem(response)
  if (current.get() !== before) return
  if (response.status === 401 || code === 'no_session') {
    const hasEnded = code === 'session_ended' || before.kind === 'signed-in'
    // Set once: the browser drops the cookie, so the next answer does not know that there was a session.
    if (before.kind !== 'signed-out') current.set({ kind: 'signed-out', hasEnded })
  } else if (response.status === 404) current.set(notServed)
}

function isSame(one: Session, other: Session): boolean {
  return one.name === other.name && one.role === other.role && one.csrf === other.csrf
}

/** Null on success, otherwise the reason as a sentence. */
export async function signIn(presented: SignIn): Promise<string | null> {
  const response = await ask({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(presented),
  })
  if (response === null) return noAnswer
  if (!response.ok) return refusalOf(response)
  current.set({ kind: 'signed-in', session: (await response.json()) as Session })
  startOver()
  return null
}

/** Null on success, otherwise the reason as a sentence. */
export async function signOut(): Promise<string | null> {
  const response = await ask({ method: 'DELETE' })
  if (response === null) return noAnswer
  if (!response.ok) return refusalOf(response)
  current.set({ kind: 'signed-out', hasEnded: false })
  startOver()
  return null
}

const noAnswer = 'Pulseward does not answer. Try again in a moment.'

async function refusalOf(response: Response): Promise<string> {
  const { detail } = await readProblem(response)
  return detail ?? `The request was refused (${response.status}).`
}

/** Null if there was no answer. */
async function ask(options: SendOptions, signal = new AbortController().signal): Promise<Response | null> {
  try {
    return await send(sessionPath, signal, options)
  } catch (error) {
    if (error instanceof ReadFailure || signal.aborted) return null
    throw error
  }
}

function startOver(): void {
  reportAnswer(Date.now())
  void queryClient.resetQueries()
}
