// What the contract does not ask of the domain check: the forms of registries, names, and how the registries are spared.
// Names of the servers are not those of this machine, so that the rules for registries hold; the network leads them here.
import { FakeClock } from '@pulseward/testing'
import { LoopbackRun, runCheck } from '@pulseward/testing/checks'
import { answers, answersBy, HttpTarget, hangs } from '@pulseward/testing/targets'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { compileAcceptOptions } from '../../config/fleet-file/accept.ts'
import { redirected } from './ask-registry.ts'
import { domain, domainCheck } from './domain.ts'
import { domainAnswer, errorAnswer, expiring, forms, formsWithoutDate } from './registry.fixture.ts'

const HOUR_MS = 3_600_000

/** A registry, and a check of its own for each test: what it remembers stays in the test. */
async function registry() {
  const target = await HttpTarget.start()
  const clock = new FakeClock()
  const check = domainCheck(clock)
  return {
    target,
    clock,
    server: target.url('/rdap/', 'rdap.test'),
    ask: (config: Parameters<typeof check.check>[0], run = new LoopbackRun()) => runCheck(check, config, run),
    [Symbol.asyncDispose]: () => target[Symbol.asyncDispose](),
  }
}

describe('the answer of a registry', () => {
  it.each(Object.entries(forms))('is read from %s', async (_form, [name, answer]) => {
    await using world = await registry()
    world.target.behave(answers(answer))
    const run = new LoopbackRun().observed()
    const config = { name, server: world.server, registrar_lock: true }
    expect(await world.ask(config, run)).toMatchObject({ status: 'success', warning: null })
    const expires = run.observations.find((one) => one.name === 'expires')
    expect(expires?.seen).toMatch(/^2125-08-13T0[04]:00:00/)
    expect(world.target.requests[0]).toMatch(new RegExp(`^GET /rdap/domain/${name} HTTP`))
  })

  it.each(Object.entries(formsWithoutDate))('lacks a date from %s', async (_form, [name, answer]) => {
    await using world = await registry()
    world.target.behave(answers(answer))
    expect(await world.ask({ name, server: world.server })).toMatchObject({
      status: 'success',
      warning: `the registry does not say when ${name} expires`,
    })
  })

  it('decides with the earliest of several dates', async () => {
    await using world = await registry()
    const events = [
      { eventAction: 'expiration', eventDate: '2125-01-01T00:00:00Z' },
      { eventAction: 'expiration', eventDate: '2020-01-01T00:00:00Z' },
    ]
    world.target.behave(answers(domainAnswer('shop.test', { events })))
    expect(await world.ask({ name: 'shop.test', server: world.server })).toMatchObject({
      reason: 'the registration of shop.test expired on 2020-01-01',
    })
  })

  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['deeper than any reader goes', `${'['.repeat(100_000)}`],
    ['without a class', '{"ldhName":"shop.test"}'],
  ])('is refused when it is %s', async (_form, body) => {
    await using world = await registry()
    world.target.behave(answers({ body }))
    const { reason } = await world.ask({ name: 'shop.test', server: world.server })
    expect(reason).toMatch(/^rdap\.test:\d+ does not answer in RDAP$/)
  })

  it('takes nothing from members of odd types, and quotes what is foreign', async () => {
    await using world = await registry()
    const odd = {
      events: [null, 7, { eventAction: {}, eventDate: [] }],
      status: [null, {}, '<b>\u0007client hold</b>'],
    }
    world.target.behave(answers(domainAnswer('shop.test', odd)))
    const config = { name: 'shop.test', server: world.server, warn_days: 0 }
    expect(await world.ask(config)).toMatchObject({ status: 'success' })
    world.target.behave(answers(errorAnswer(400, '<script>\u0007\u202e')))
    world.clock.advance(1_000)
    const { reason } = await world.ask({ name: 'other.test', server: world.server })
    expect(reason).toMatch(/answers with status 400: "<script>"$/)
  })
})

describe('a redirect', () => {
  it('leads to the server of the registrar', async () => {
    await using world = await registry()
    await using registrar = await HttpTarget.start()
    registrar.behave(answers(domainAnswer('shop.test')))
    const location = registrar.url('/domain/shop.test', 'registrar.test')
    world.target.behave(answers({ status: 307, headers: { Location: location } }))
    const run = new LoopbackRun()
    expect(await world.ask({ name: 'shop.test', server: world.server }, run)).toMatchObject({
      status: 'success',
    })
    expect(run.connections.map(({ host }) => host)).toEqual(['rdap.test', 'registrar.test'])
  })

  it('is subject to the policy of the network', async () => {
    await using world = await registry()
    world.target.behave(
      answers({ status: 302, headers: { Location: 'http://169.254.169.254/domain/shop.test' } }),
    )
    const run = new LoopbackRun()
    run.refused.add('169.254.169.254')
    expect(await world.ask({ name: 'shop.test', server: world.server }, run)).toMatchObject({
      status: 'failure',
      reason: '169.254.169.254 may not be reached',
    })
  })

  it('does not leave https', () => {
    const from = new URL('https://shop.test/domain/shop.test')
    expect(redirected(from, '/other', 'shop.test').href).toBe('https://shop.test/other')
    expect(() => redirected(from, 'http://shop.test/', 'shop.test')).toThrow(
      'shop.test redirects from https to http',
    )
  })
})

describe('a registry is spared', () => {
  it('by asking about a domain once per hour, and judging its answer anew in between', async () => {
    await using world = await registry()
    const { clock, target, server } = world
    const expiresAt = new Date(clock.wallMs() + 2 * HOUR_MS).toISOString()
    target.behave(answers(expiring('shop.test', expiresAt)))
    const config = { name: 'shop.test', server, warn_days: 0 }
    const first = await world.ask(config)
    clock.advance(HOUR_MS - 1)
    const run = new LoopbackRun().observed()
    const second = await world.ask({ ...config, warn_days: 1 }, run)
    expect(second).toMatchObject({ status: 'success', latencyMs: first.latencyMs })
    expect(second.warning).toMatch(
      /^the registration of shop\.test expires on .*, in less than a day, as of .* UTC$/,
    )
    expect(run.observations).toContainEqual(
      expect.objectContaining({ name: 'age of its answer', seen: '60 min' }),
    )
    expect(target.requests).toHaveLength(1)
    clock.advance(1)
    await world.ask(config)
    expect(target.requests).toHaveLength(2)
  })

  it('by telling a failed query once, and to the retries of its check', async () => {
    await using world = await registry()
    const { clock, target, server } = world
    target.behave(answers(errorAnswer(500, 'Oops')))
    const config = { name: 'shop.test', server }
    expect(await world.ask(config)).toMatchObject({ status: 'failure' })
    expect(await world.ask(config)).toMatchObject({ status: 'failure' })
    clock.advance(60_000)
    const third = await world.ask(config)
    expect(third.status).toBe('no_data')
    expect(third.reason).toMatch(
      /^the registry is asked again in 59 min: the last query failed: .* status 500: "Oops"$/,
    )
    expect(target.requests).toHaveLength(1)
  })

  it('and while it fails, its last answer holds for a week', async () => {
    await using world = await registry()
    const { clock, target, server } = world
    target.behave(answers(domainAnswer('shop.test')))
    const config = { name: 'shop.test', server }
    await world.ask(config)
    target.behave(answers(errorAnswer(500, 'Oops')))
    clock.advance(7 * 24 * HOUR_MS)
    expect(await world.ask(config)).toMatchObject({ status: 'success' })
    clock.advance(HOUR_MS)
    expect(await world.ask(config)).toMatchObject({ status: 'failure' })
    expect(target.requests).toHaveLength(3)
  })

  it('but asked again at once if the query did not reach it', async () => {
    await using world = await registry()
    const config = { name: 'shop.test', server: world.server }
    const refused = new LoopbackRun()
    refused.refused.add('rdap.test')
    expect(await world.ask(config, refused)).toMatchObject({ status: 'failure' })
    world.clock.advance(1_000)
    world.target.behave(answers(domainAnswer('shop.test')))
    expect(await world.ask(config)).toMatchObject({ status: 'success' })
  })

  it('by one query per second, and checks that cannot wait so long say so', async () => {
    await using world = await registry()
    world.target.behave(answersBy((request) => domainAnswer(/domain\/(\S+)/.exec(request)?.[1] ?? '')))
    await world.ask({ name: 'one.test', server: world.server })
    const second = await world.ask({ name: 'two.test', server: world.server }, new LoopbackRun(900))
    expect(second).toMatchObject({ status: 'no_data' })
    expect(second.reason).toMatch(/^rdap\.test:\d+ is asked about other domains first, once per second/)
    world.clock.advance(1_000)
    expect(await world.ask({ name: 'two.test', server: world.server })).toMatchObject({ status: 'success' })
  })

  it.each([
    ['for the seconds', { 'Retry-After': '120' }, 120_000],
    ['for five minutes where it names no time', {}, 300_000],
  ] as const)('by pausing %s when it has had too many requests', async (_title, headers, pauseMs) => {
    await using world = await registry()
    const { clock, target, server } = world
    target.behave(answers({ status: 429, headers, body: '' }))
    expect(await world.ask({ name: 'one.test', server })).toMatchObject({ status: 'no_data' })
    target.behave(answersBy((request) => domainAnswer(/domain\/(\S+)/.exec(request)?.[1] ?? '')))
    clock.advance(pauseMs - 10_000)
    const paused = await world.ask({ name: 'two.test', server })
    expect(paused.reason).toMatch(/^rdap\.test:\d+ asked for a pause, which ends in 10 s$/)
    clock.advance(10_000)
    expect(await world.ask({ name: 'two.test', server })).toMatchObject({ status: 'success' })
  })

  it('by one check at a time for each domain', async () => {
    await using world = await registry()
    world.target.behave(hangs())
    const config = { name: 'shop.test', server: world.server }
    const run = new LoopbackRun()
    const first = world.ask(config, run)
    await expect.poll(() => world.target.requests.length).toBe(1)
    expect(await world.ask(config)).toMatchObject({
      status: 'no_data',
      reason: 'another check is asking the registry at this moment',
    })
    run.pass()
    expect(await first).toMatchObject({ status: 'timeout' })
  })
})

describe('a name', () => {
  const isValid = Compile(domain.config)
  const accepts = compileAcceptOptions(domain.config)

  it.each(['shop.com', 'SHOP.Com.', 'bücher.com', 'shop.co.uk', 'xn--bcher-kva.com', '例え.みんな'])(
    'may be %s',
    (name) => {
      expect(isValid.Check({ name })).toBe(true)
    },
  )

  it.each([
    'shop',
    '.com',
    'shop..com',
    'a b.com',
    '192.0.2.1',
    'https://shop.com',
    '<b>.com',
    `${'a'.repeat(64)}.com`,
  ])('may not be %s', (name) => {
    expect(isValid.Check({ name })).toBe(false)
  })

  it.each([7, null, ['shop.com']])('may not be %j', (name) => {
    expect(accepts({ name })).toBe(false)
    expect(accepts({ name: 'shop.de', server: name })).toBe(false)
  })

  it('may come from a credential, whose value is judged by the check', async () => {
    expect(accepts({ name: { credential: 'domain' } })).toBe(true)
    expect(await runCheck(domain, { name: 'http://../' })).toMatchObject({
      status: 'no_data',
      reason: 'the credential of name does not hold a domain',
    })
    expect(await runCheck(domain, { name: 'shop.com', server: 'rdap.test' })).toMatchObject({
      status: 'no_data',
      reason: 'the credential of server must be an http or https URL',
    })
  })

  it('needs a server where IANA lists none for its top-level domain', () => {
    const [mistake] = isValid.Errors({ name: 'shop.de' })
    expect(JSON.stringify(mistake)).toContain('IANA lists no RDAP server')
    expect(isValid.Check({ name: 'shop.de', server: 'https://rdap.denic.de/' })).toBe(true)
  })

  it.each(['https://user:word@rdap.test/', 'https://rdap.test/?key=1', 'ftp://rdap.test/'])(
    'is not asked for at %s',
    (server) => {
      expect(isValid.Check({ name: 'shop.com', server })).toBe(false)
    },
  )
})
