// api/session/session-cookie.ts: the cookie that carries the id of a session: how it is read from a request, and what a
// browser is told to keep or to forget.
import type { IncomingMessage } from 'node:http'
import { sessionCookiePrefix, sessionLimits } from '@pulseward/contract'

const attributes = 'Path=/; HttpOnly; SameSite=Strict'
const lifetimeSeconds = sessionLimits.lifetimeHours * 3_600
const idForm = /^[A-Za-z0-9_-]{43}$/

/** By the port that the request came to: services on one host share its cookies. */
export function cookieNameOf({ socket }: IncomingMessage): string {
  return `${sessionCookiePrefix}${socket.localPort ?? 0}`
}

/**
 * Null without one, and with several: one of them was put there by another host of the same domain, and which one is not
 * told by the browser.
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

/** Secure: it must never travel unencrypted. Left out where the browser speaks http with this machine. */
export function keepCookie(request: IncomingMessage, id: string, isSecure: boolean): string {
  return `${cookieNameOf(request)}=${id}; ${attributes}; Max-Age=${lifetimeSeconds}${isSecure ? '; Secure' : ''}`
}

export function forgetCookie(request: IncomingMessage, isSecure: boolean): string {
  return `${cookieNameOf(request)}=; ${attributes}; Max-Age=0${isSecure ? '; Secure' : ''}`
}
