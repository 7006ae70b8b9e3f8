// data/session.ts: who is signed in, where the service has sessions (the edition next). The id of a session is in a cookie
// that scripts cannot read; the page only knows the name, the role and the CSRF token. Signing in or out drops all that was
// read before: it may have been for somebody else.
import { type Config, type Session, sessionEditions, sessionPath } from '@pulseward/contract'
import { useEffect, useState } from 'react'
import { createStore, useStore } from '../store.ts'
import { useConfig } from './config.ts'
import { reportAnswer, useConnection } from './connection.ts'
import { ReadFailure } from './failure.ts'
import { queryClient } from './query-client.ts'
import { bodyOf } from './reading.ts'
import { readProblem, type SendOptions, send } from './request.ts'

export type SessionState =
  /** The service has not said it yet. */
  | { readonly kind: 'unknown' }
  /** This edition has none. */
  | { readonly kind: 'not-served' }
  /** Ended: without that this page asked for it. */
  | { readonly kind: 'signed-out'; readonly hasEnded: boolean }
  | { readonly kind: 'signed-in'; readonly session: Session }

/** Also notices that another tab has signed in. */
const waitingEveryMs = 5_000
const usualEveryMs = 30_000

const current = createStore<SessionState>({ kind: 'unknown' })

export function useSession(): SessionState {
  return useStore(current)
}

/** For the one component that stands around everything: asks who is signed in, and goes on asking. */
export function useFollowedSession(): SessionState {
  const told = useToldEdition()
  const isSignedOut = useConnection().state === 'signed-out'
  // A page that was served and may read nothing is of an edition in which one signs in on the page.
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

/** A service that answers nothing any more is still of the edition that it told last; null before it has told any. */
function useToldEdition(): Config['edition'] | null {
  const now = bodyOf(useConfig())?.edition ?? null
  const [last, setLast] = useState(now)
  if (now !== null && now !== last) setLast(now)
  return now ?? last
}

async function lookAtSession(isSignedOut: boolean, signal: AbortSignal): Promise<void> {
  const before = current.get()
  const response = await ask({}, signal)
  // What was found out meanwhile by signing in or out is newer.
  if (response === null || signal.aborted || current.get() !== before) return
  if (response.ok) {
    const session = (await response.json()) as Session
    if (current.get() !== before) return
    const wasThis = before.kind === 'signed-in' && isSame(before.session, session)
    if (!wasThis) current.set({ kind: 'signed-in', session })
    // Another tab may have signed in as somebody else.
    if (isSignedOut || (before.kind === 'signed-in' && !wasThis)) startOver()
    return
  }
  const { code } = await readProblem(response)
  if (current.get() !== before) return
  if (response.status === 401 || code === 'no_session') {
    const hasEnded = code === 'session_ended' || before.kind === 'signed-in'
    // Told once: the browser forgets the cookie, and the next answer does not know that there was one.
    if (before.kind !== 'signed-out') current.set({ kind: 'signed-out', hasEnded })
  } else if (response.status === 404) current.set(notServed)
}

function isSame(one: Session, other: Session): boolean {
  return one.name === other.name && one.role === other.role && one.csrf === other.csrf
}

/** Null when somebody is signed in now; else why not, as a sentence. */
export async function signIn(token: string): Promise<string | null> {
  const response = await ask({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  if (response === null) return noAnswer
  if (!response.ok) return refusalOf(response)
  current.set({ kind: 'signed-in', session: (await response.json()) as Session })
  startOver()
  return null
}

/** Null when nobody is signed in any more; else why not, as a sentence. */
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

/** Null when there was no answer. */
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
