// api/session/session-cookie.ts: reads and writes the cookie that carries the session id.
import type { IncomingMessage } from 'node:http'
import { sessionCookiePrefix, sessionLimits } from '@pulseward/contract'

const attributes = 'Path=/; HttpOnly; SameSite=Strict'
const lifetimeSeconds = sessionLimits.lifetimeHours * 3_600
const idForm = /^[A-Za-z0-9_-]{43}$/

/** Named after the port that the request came to: services on one host share its cookies. */
export function cookieNameOf({ socket }: IncomingMessage): string {
  return `${sessionCookiePrefix}${socket.localPort ?? 0}`
}

/**
 * Null if there is none, or more than one: then another host of the same domain set one of them, and the
 * browser does not say which.
 */
export function sessionIdIn(request: IncomingMessage): string | null {
  const [id, ...others] = givenIn(request)
  return id !== undefined && others.length === 0 && idForm.test(id) ? id : null
}

/** Whether the browser believes that it has a session. */
export function hasSessionCookie(request: IncomingMessage): boolean {
  return givenIn(request).length > 0
}

function givenIn(request: IncomingMessage): readonly string[] {
  const start = `${cookieNameOf(request)}=`
  return (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
}

/** Secure: it must never travel unencrypted. Omitted if the browser speaks http to this machine. */
export function keepCookie(request: IncomingMessage, id: string, isSecure: boolean): string {
  return `${cookieNameOf(request)}=${id}; ${attributes}; Max-Age=${lifetimeSeconds}${isSecure ? '; Secure' : ''}`
}

export function forgetCookie(request: IncomingMessage, isSecure: boolean): string {
  return `${cookieNameOf(request)}=; ${attributes}; Max-Age=0${isSecure ? '; Secure' : ''}`
}
