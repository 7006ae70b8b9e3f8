import { FakeClock, temporaryFolder } from '@pulseward/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dataDirectory, makeDirectory } from '../store/data-directory.ts'
import { createPrincipal, revokePrincipal } from './edit-principals.ts'
import { principalsInFile } from './principal-source.ts'
import { Principals } from './principals.ts'
import type { Principal } from './principals-format.ts'
import type { Role } from './roles.ts'
import { sessionsInMemory } from './session-store.ts'
import { isCsrfOf, mayOpenSession, type Session, Sessions } from './sessions.ts'

const hourMs = 3_600_000

function signedIn(role: Role = 'operator', expiresMs: number | null = null) {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const clock = new FakeClock()
  makeDirectory(folder.path('data'))
  const files = dataDirectory(folder.path('data'))
  const { token } = createPrincipal(files, { name: 'ada', role, expiresMs, jobTypes: [] })
  const other = createPrincipal(files, { name: 'bob', role: 'reader', expiresMs: null, jobTypes: [] }).token
  const principals = Principals.open(principalsInFile(files.principals), clock)
  const sessions = new Sessions(principals, clock, sessionsInMemory())
  onTestFinished(() => {
    sessions[Symbol.dispose]()
    principals[Symbol.dispose]()
  })
  const open = (of = token) => sessions.open(asOpener(principals.principalOf(of, clock.wallMs())))
  return { clock, files, principals, sessions, open, other }
}

function asOpener(principal: Principal | 'expired' | null): Session['principal'] {
  if (principal === null || principal === 'expired' || !mayOpenSession(principal))
    throw new Error('cannot sign in')
  return principal
}

describe('a session', () => {
  it('is found by its id, and by nothing near it', () => {
    const { sessions, open } = signedIn()
    const { id, key, csrf } = open()
    expect(sessions.find(id)).toMatchObject({ key, csrf, principal: { name: 'ada', role: 'operator' } })
    const last = id.endsWith('A') ? 'B' : 'A'
    for (const wrong of ['', key, csrf, id.slice(0, -1), id.slice(0, -1) + last, `${id} `])
      expect(sessions.find(wrong)).toBeNull()
  })

  it('has an id and a CSRF token of its own, neither of which tells the other', () => {
    const { open } = signedIn()
    const [one, other] = [open(), open()]
    expect(new Set([one.id, one.csrf, one.key, other.id, other.csrf, other.key]).size).toBe(6)
    expect(Buffer.from(one.id, 'base64url')).toHaveLength(32)
    expect(isCsrfOf(one, one.csrf)).toBe(true)
    for (const wrong of ['', other.csrf, one.id, `${one.csrf} `]) expect(isCsrfOf(one, wrong)).toBe(false)
  })

  it.each([
    ['twelve hours pass', (clock: FakeClock) => clock.advance(12 * hourMs)],
    ['the machine sleeps for twelve hours', (clock: FakeClock) => clock.suspend(12 * hourMs)],
    [
      'twelve hours pass while the clock is set back',
      (clock: FakeClock) => {
        clock.advance(11 * hourMs)
        clock.jumpWall(-10 * hourMs)
        clock.advance(hourMs)
      },
    ],
  ])('ends when %s', (_, pass) => {
    const { clock, sessions, open } = signedIn()
    const { id, key } = open()
    const ended: string[] = []
    sessions.onEnded((keys) => ended.push(...keys))
    pass(clock)
    expect(sessions.find(id)).toBeNull()
    sessions.sweep()
    expect(ended).toEqual([key])
    expect(sessions.size).toBe(0)
  })

  it('lasts until a moment before twelve hours, and is not prolonged by use', () => {
    const { clock, sessions, open } = signedIn()
    const { id } = open()
    for (let hour = 0; hour < 11; hour++) {
      clock.advance(hourMs)
      expect(sessions.find(id)).not.toBeNull()
    }
    clock.advance(hourMs - 1)
    expect(sessions.find(id)).not.toBeNull()
    clock.advance(1)
    expect(sessions.find(id)).toBeNull()
  })

  it('ends with the token that it was opened with, and no other does', async () => {
    const { files, principals, sessions, open, other } = signedIn()
    const [mine, theirs] = [open(), open(other)]
    revokePrincipal(files, 'ada')
    await principals.look()
    expect(sessions.find(mine.id)).toBeNull()
    expect(sessions.find(theirs.id)).not.toBeNull()
    expect(sessions.size).toBe(1)
  })

  it('ends when its token expires, before anything has looked', () => {
    const { clock, sessions, open } = signedIn('reader', new FakeClock().wallMs() + hourMs)
    const { id } = open()
    clock.advance(hourMs)
    expect(sessions.find(id)).toBeNull()
  })

  it('ends when it is ended, once', () => {
    const { sessions, open } = signedIn()
    const { id, key } = open()
    const ended: string[][] = []
    sessions.onEnded((keys) => ended.push([...keys]))
    sessions.end(id)
    sessions.end(id)
    sessions.end('made up')
    expect(ended).toEqual([[key]])
    expect(sessions.find(id)).toBeNull()
  })

  it('ends when its principal opens ten more, the oldest first, and leaves those of others', () => {
    const { sessions, open, other } = signedIn()
    const theirs = open(other)
    const mine = Array.from({ length: 11 }, () => open())
    expect(mine.map(({ id }) => sessions.find(id) !== null)).toEqual([false, ...Array(10).fill(true)])
    expect(sessions.find(theirs.id)).not.toBeNull()
    expect(sessions.size).toBe(11)
  })

  it('is not known to the next process', () => {
    const { clock, principals, open } = signedIn()
    const { id } = open()
    using next = new Sessions(principals, clock, sessionsInMemory())
    expect(next.find(id)).toBeNull()
  })
})
