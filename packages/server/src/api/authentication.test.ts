import { describe, expect, it } from 'vitest'
import { Authentication, challengeFor } from './authentication.ts'
import { WrongGuesses } from './wrong-guesses.ts'

function guarded(token = 's3cret:with:colons') {
  const clock = { now: 0, monotonicMs: () => clock.now, wallMs: () => 0 }
  return { clock, authentication: new Authentication(token, new WrongGuesses(clock)), token }
}

const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`

describe('authentication', () => {
  const { authentication, token } = guarded()

  it.each([
    `Bearer ${token}`,
    `bearer ${token}`,
    `BEARER   ${token}`,
    basic(`svc:${token}`),
    basic(`svc:${token}`).replace('Basic', 'basic'),
  ])('lets in %s', (header) => expect(authentication.check(header, 'peer')).toEqual({ allowed: true }))

  it.each([
    'Bearer wrong',
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    'Bearer',
    'Bearer ',
    token,
    `Digest ${token}`,
    `Bearer ${token} more`,
    basic(`admin:${token}`),
    basic(`SVC:${token}`),
    basic(`:${token}`),
    basic(token),
    basic('svc:'),
    basic('svc'),
    'Basic !!!!',
    `Basic svc:${token}`,
  ])('refuses %s', (header) => {
    expect(guarded().authentication.check(header, 'peer')).toEqual({
      allowed: false,
      delayMs: 0,
      detail: 'The credentials are not right.',
    })
  })

  it('does not say what the right credentials are', () => {
    expect(JSON.stringify(guarded().authentication.check('Bearer wrong', 'peer'))).not.toContain(token)
  })

  it('delays wrong guesses from the tenth in a minute, ever longer, up to a second', () => {
    const { authentication } = guarded()
    const delays = Array.from({ length: 25 }, () => delayOf(authentication.check('Bearer wrong', 'peer')))
    expect(delays.slice(0, 9)).toEqual(Array(9).fill(0))
    expect(delays.slice(9, 12)).toEqual([100, 200, 300])
    expect(delays.slice(18)).toEqual(Array(7).fill(1000))
  })

  it('does not delay other peers, and forgets after the minute', () => {
    const { authentication, clock } = guarded()
    for (let guess = 0; guess < 20; guess++) authentication.check('Bearer wrong', 'peer')
    expect(delayOf(authentication.check('Bearer wrong', 'other'))).toBe(0)
    clock.now += 60_000
    expect(delayOf(authentication.check('Bearer wrong', 'peer'))).toBe(0)
  })

  it('counts a minute from the first guess, wherever that is in a minute of the clock', () => {
    const { authentication, clock } = guarded()
    clock.now = 59_990
    for (let guess = 0; guess < 9; guess++, clock.now += 5) authentication.check('Bearer wrong', 'peer')
    expect(delayOf(authentication.check('Bearer wrong', 'peer'))).toBe(100)
  })

  it('never delays a right token, whoever failed before', () => {
    const { authentication, token } = guarded()
    for (let guess = 0; guess < 50; guess++) authentication.check('Bearer wrong', 'peer')
    expect(authentication.check(`Bearer ${token}`, 'peer')).toEqual({ allowed: true })
  })

  it('does not count a request without credentials as a guess', () => {
    const { authentication } = guarded()
    for (let request = 0; request < 50; request++) authentication.check(undefined, 'peer')
    expect(authentication.check('', 'peer')).toEqual({
      allowed: false,
      delayMs: 0,
      detail: 'Send the token as Bearer, or log in as svc.',
    })
    expect(delayOf(authentication.check('Bearer wrong', 'peer'))).toBe(0)
  })

  it('remembers a bounded number of peers', () => {
    const { authentication } = guarded()
    for (let guess = 0; guess < 20; guess++) authentication.check('Bearer wrong', 'first')
    for (let peer = 0; peer < 10_001; peer++) authentication.check('Bearer wrong', `peer ${peer}`)
    expect(delayOf(authentication.check('Bearer wrong', 'first'))).toBe(0)
  })
})

function delayOf(decision: ReturnType<Authentication['check']>): number {
  return decision.allowed ? -1 : decision.delayMs
}

describe('the challenge', () => {
  it.each(['/api/v1/overview', '/api', '/api/', '/metrics', '/api/none'])(
    'asks machines for a token at %s',
    (path) => expect(challengeFor(path)).toBe('Bearer realm="pulseward"'),
  )

  it.each(['/', '/monitors/5', '/assets/a.js', '/apish', '/metrics/more'])(
    'asks browsers for a login at %s',
    (path) => expect(challengeFor(path)).toBe('Basic realm="pulseward", charset="UTF-8"'),
  )
})
