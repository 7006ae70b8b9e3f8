import { FakeClock, temporaryFolder } from '@pulseward/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dataDirectory, makeDirectory } from '../store/data-directory.ts'
import { createPrincipal, revokePrincipal } from './edit-principals.ts'
import { principalsInFile } from './principal-source.ts'
import { Principals } from './principals.ts'
import type { Role } from './roles.ts'
import { SignInLinks } from './sign-in-links.ts'
import { digestOf } from './token.ts'

const minuteMs = 60_000

function linksOf(role: Role = 'operator') {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const clock = new FakeClock()
  makeDirectory(folder.path('data'))
  const files = dataDirectory(folder.path('data'))
  const { token } = createPrincipal(files, { name: 'ada', role, expiresMs: null, jobTypes: [] })
  const principals = Principals.open(principalsInFile(files.principals), clock)
  onTestFinished(() => principals[Symbol.dispose]())
  const links = new SignInLinks(principals, clock)
  return { clock, files, principals, links, make: () => links.make(digestOf(token)) }
}

describe('a one-time link', () => {
  it('is redeemed once, for the operator for whom it was made', () => {
    const { links, make } = linksOf()
    const { secret } = make()
    expect(links.redeem(secret)?.name).toBe('ada')
    expect(links.redeem(secret)).toBeNull()
  })

  it('is found by its whole secret and by nothing near it', () => {
    const { links, make } = linksOf()
    const { secret } = make()
    for (const near of ['', secret.slice(0, -1), `${secret}A`, secret.toLowerCase(), ` ${secret}`])
      expect(links.redeem(near)).toBeNull()
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(links.redeem(secret)).not.toBeNull()
  })

  it('works for ten minutes, whatever is done to the wall clock', () => {
    const { clock, links, make } = linksOf()
    const [one, other, third] = [make(), make(), make()]
    expect(one.expiresAtMs).toBe(clock.wallMs() + 10 * minuteMs)
    clock.advance(10 * minuteMs - 1)
    expect(links.redeem(one.secret)).not.toBeNull()
    clock.advance(1)
    expect(links.redeem(other.secret)).toBeNull()
    clock.jumpWall(-5 * minuteMs)
    expect(links.redeem(third.secret)).toBeNull()
  })

  it('ends while the machine is suspended', () => {
    const { clock, links, make } = linksOf()
    const { secret } = make()
    clock.suspend(10 * minuteMs)
    expect(links.redeem(secret)).toBeNull()
  })

  it('ends with the token of its operator', async () => {
    const { files, principals, links, make } = linksOf()
    const { secret } = make()
    revokePrincipal(files, 'ada')
    await principals.look()
    expect(links.redeem(secret)).toBeNull()
  })

  it('signs in operators only', () => {
    const { links, make } = linksOf('reader')
    expect(links.redeem(make().secret)).toBeNull()
  })

  it('is one of twenty: the next one ends the oldest', () => {
    const { links, make } = linksOf()
    const [oldest, second] = Array.from({ length: 21 }, () => make().secret)
    expect(links.redeem(oldest!)).toBeNull()
    expect(links.redeem(second!)).not.toBeNull()
  })
})
