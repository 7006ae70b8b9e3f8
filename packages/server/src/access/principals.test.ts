import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { FakeClock, temporaryFolder } from '@pulseward/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../platform/clock.ts'
import { UsageError } from '../platform/usage-error.ts'
import { principalsInFile } from './principal-source.ts'
import { Principals, type PrincipalsChange } from './principals.ts'
import { writePrincipals } from './principals-file.ts'
import type { Principal } from './principals-format.ts'
import { digestOf, makeToken } from './token.ts'

const tokens = { ann: makeToken(), bob: makeToken(), worker: makeToken() }
const principal = (name: keyof typeof tokens, more: Partial<Principal> = {}): Principal => ({
  name,
  role: 'operator',
  digest: digestOf(tokens[name]),
  expiresMs: null,
  jobTypes: [],
  ...more,
})

/** Principals over a real file, and every change that was told. */
function principalsOver(list: readonly Principal[]) {
  const folder = temporaryFolder()
  const file = folder.path('principals.json')
  writePrincipals(file, list)
  const clock = new FakeClock()
  const principals = Principals.open(principalsInFile(file), clock)
  const changes: PrincipalsChange[] = []
  principals.onChange((change) => changes.push(change))
  return {
    file,
    clock,
    principals,
    changes,
    write: (...next: readonly Principal[]) => writePrincipals(file, next),
    nameOf(token: string) {
      const found = principals.principalOf(token, clock.wallMs())
      return found === null || found === 'expired' ? found : found.name
    },
    /** Until a problem would be told. */
    async lookTwice() {
      await principals.look()
      await principals.look()
    },
    [Symbol.dispose]() {
      principals[Symbol.dispose]()
      folder[Symbol.dispose]()
    },
  }
}

let world: ReturnType<typeof principalsOver>
beforeEach(() => {
  world = principalsOver([
    principal('ann'),
    principal('worker', { role: 'worker', jobTypes: ['disk', 'mail'] }),
  ])
})
afterEach(() => world[Symbol.dispose]())

const ended = (...names: readonly (keyof typeof tokens)[]) =>
  new Set(names.map((name) => digestOf(tokens[name])))

describe('a token that was made a moment ago', () => {
  it('is known at once, and one that was revoked with it is not any more', () => {
    world.write(principal('bob'))
    expect(world.nameOf(tokens.bob)).toBe('bob')
    expect(world.nameOf(tokens.ann)).toBeNull()
    expect(world.changes).toEqual([{ ended: ended('ann', 'worker'), problem: null }])
  })

  it('is looked for so often per second, however many are guessed', () => {
    for (let guess = 0; guess < 1_000; guess++) world.nameOf(makeToken())
    world.write(principal('ann'), principal('bob'))
    expect(world.nameOf(tokens.bob)).toBeNull()
    world.clock.advance(20)
    expect(world.nameOf(tokens.bob)).toBe('bob')
  })

  it('leaves a file that is being written to the next look', async () => {
    writeFileSync(world.file, '{')
    expect(world.nameOf(tokens.bob)).toBeNull()
    expect(world.nameOf(tokens.bob)).toBeNull()
    expect(world.principals.problem).toBeNull()
    await world.principals.look()
    expect(world.principals.problem).toMatch(/is not valid/)
    expect(world.nameOf(tokens.ann)).toBe('ann')
  })
})

describe('a presented token', () => {
  it('is that of its principal', () => {
    expect(world.principals.principalOf(tokens.worker, 0)).toEqual({
      name: 'worker',
      role: 'worker',
      digest: digestOf(tokens.worker),
      expiresMs: null,
      jobTypes: ['disk', 'mail'],
    })
  })

  it.each([
    ['unknown', makeToken()],
    ['empty', ''],
    ['mistyped', `${tokens.ann.slice(0, -1)}-`],
    ['cut', tokens.ann.slice(0, -1)],
    ['its own digest', digestOf(tokens.ann)],
    ['in lower case', tokens.ann.toLowerCase()],
  ])('that is %s is not the token of a principal', (_what, token) => {
    expect(world.principals.principalOf(token, 0)).toBe(null)
    expect(world.principals.knows(token)).toBe(false)
  })

  it('that is not made by us is refused, even if its digest is in the file', async () => {
    world.write(principal('ann', { digest: digestOf('correct-horse-battery-staple-of-32') }))
    await world.principals.look()
    expect(world.nameOf('correct-horse-battery-staple-of-32')).toBe(null)
  })

  it('expires at its time, and is known all the same', () => {
    const expiresMs = Date.UTC(2026, 5, 1)
    using limited = principalsOver([principal('ann', { expiresMs })])
    expect(limited.principals.principalOf(tokens.ann, expiresMs - 1)).toMatchObject({ name: 'ann' })
    expect(limited.principals.principalOf(tokens.ann, expiresMs)).toBe('expired')
    expect(limited.principals.principalOf(makeToken(), expiresMs)).toBe(null)
    expect(limited.principals.knows(tokens.ann)).toBe(true)
  })
})

describe('a start', () => {
  it.each([
    ['does not exist', () => rmSync(world.file), 'does not exist.'],
    ['is broken', () => writeFileSync(world.file, '{'), /is not valid: (line 1: )?it is not JSON\.$/],
    [
      'is open to other users',
      () => chmodSync(world.file, 0o644),
      'is open to other users (mode 644); run chmod 600 on it.',
    ],
  ])('is refused when the file %s', (_what, spoil, words) => {
    spoil()
    expect(() => Principals.open(principalsInFile(world.file), systemClock)).toThrow(UsageError)
    expect(() => Principals.open(principalsInFile(world.file), systemClock)).toThrow(words)
  })
})

describe('a change of the file', () => {
  it('is in force at the next look and told once: a new token works, a revoked one does not', async () => {
    world.write(principal('bob'), principal('worker', { role: 'worker', jobTypes: ['disk', 'mail'] }))
    expect(world.nameOf(tokens.ann)).toBe('ann')
    await world.principals.look()
    expect([world.nameOf(tokens.ann), world.nameOf(tokens.bob)]).toEqual([null, 'bob'])
    expect(world.changes).toEqual([{ ended: ended('ann'), problem: null }])
    await world.lookTwice()
    expect(world.changes).toHaveLength(1)
  })

  it('between opening and the first look is not missed', async () => {
    world.write()
    await world.principals.look()
    expect(world.nameOf(tokens.ann)).toBe(null)
  })

  it('is in force at once while the file keeps changing', async () => {
    world.write(principal('ann'))
    await world.principals.look()
    world.write(principal('bob'))
    await world.principals.look()
    expect([world.nameOf(tokens.ann), world.nameOf(tokens.bob)]).toEqual([null, 'bob'])
  })

  it.each<[string, Partial<Principal>]>([
    ['role', { role: 'reader', jobTypes: [] }],
    ['job types', { jobTypes: ['disk'] }],
    ['name', { name: 'another' }],
  ])('of the %s ends what was opened with the token', async (_what, change) => {
    world.write(
      principal('ann'),
      principal('worker', { role: 'worker', jobTypes: ['disk', 'mail'], ...change }),
    )
    await world.principals.look()
    expect(world.changes).toEqual([{ ended: ended('worker'), problem: null }])
  })

  it('of the order or the form alone ends nothing', async () => {
    world.write(principal('worker', { role: 'worker', jobTypes: ['mail', 'disk'] }), principal('ann'))
    await world.principals.look()
    for (const change of world.changes) expect(change.ended).toEqual(new Set())
    expect(world.nameOf(tokens.ann)).toBe('ann')
  })

  it('is not told any more after the listener was removed', async () => {
    const heard: PrincipalsChange[] = []
    const stop = world.principals.onChange((change) => heard.push(change))
    world.write()
    await world.principals.look()
    stop()
    world.write(principal('bob'))
    await world.principals.look()
    expect(heard).toHaveLength(1)
  })
})

describe('a file that cannot be used', () => {
  const stays = 'The principals that were read before stay in force.'

  it.each([
    ['is removed', () => rmSync(world.file), 'does not exist.'],
    ['is emptied', () => writeFileSync(world.file, ''), 'is not valid: it is not JSON.'],
    [
      'is opened to others',
      () => chmodSync(world.file, 0o640),
      'is open to other users (mode 640); run chmod 600 on it.',
    ],
    [
      'has a mistake',
      () => writeFileSync(world.file, '{"version": 1, "principals": 0}'),
      'is not valid: principals: must be a list.',
    ],
  ])(
    'because it %s leaves the last list in force and says so, until it is mended',
    async (_what, spoil, words) => {
      spoil()
      await world.lookTwice()
      expect(world.principals.problem).toBe(`The principals file ${world.file} ${words} ${stays}`)
      expect(world.changes).toEqual([{ ended: new Set(), problem: world.principals.problem }])
      expect(world.nameOf(tokens.ann)).toBe('ann')
      await world.lookTwice()
      expect(world.changes).toHaveLength(1)
      world.write(principal('bob'))
      await world.principals.look()
      expect(world.principals.problem).toBe(null)
      expect(world.changes.at(-1)).toEqual({ ended: ended('ann', 'worker'), problem: null })
      expect([world.nameOf(tokens.ann), world.nameOf(tokens.bob)]).toEqual([null, 'bob'])
    },
  )

  it('for a moment only is not a problem', async () => {
    renameSync(world.file, `${world.file}.old`)
    await world.principals.look()
    renameSync(`${world.file}.old`, world.file)
    await world.lookTwice()
    expect(world.changes).toEqual([])
  })

  it('has its problem told again when that changes', async () => {
    rmSync(world.file)
    await world.lookTwice()
    writeFileSync(world.file, '{', { mode: 0o600 })
    await world.principals.look()
    expect(world.principals.problem).toContain('it is not JSON')
    expect(world.changes).toHaveLength(2)
  })

  it('does not keep tokens from expiring', async () => {
    const expiresMs = world.clock.wallMs() + 1_000
    world.write(principal('ann', { expiresMs }))
    await world.lookTwice()
    rmSync(world.file)
    await world.lookTwice()
    world.changes.length = 0
    world.clock.advance(1_000)
    await world.principals.look()
    expect(world.changes).toEqual([{ ended: ended('ann'), problem: world.principals.problem }])
    expect(world.nameOf(tokens.ann)).toBe('expired')
  })
})

describe('the time of a token', () => {
  it('ends what was opened with it, once', async () => {
    const expiresMs = world.clock.wallMs() + 60_000
    world.write(principal('ann', { expiresMs }), principal('bob'))
    await world.lookTwice()
    world.changes.length = 0
    world.clock.advance(59_999)
    await world.principals.look()
    expect(world.changes).toEqual([])
    world.clock.advance(1)
    await world.principals.look()
    await world.principals.look()
    expect(world.changes).toEqual([{ ended: ended('ann'), problem: null }])
  })

  it('ends it again after a clock that ran ahead was set back', async () => {
    world.write(principal('ann', { expiresMs: world.clock.wallMs() + 60_000 }))
    await world.lookTwice()
    world.clock.jumpWall(3_600_000)
    await world.principals.look()
    world.clock.jumpWall(-3_600_000)
    await world.principals.look()
    expect(world.nameOf(tokens.ann)).toBe('ann')
    world.changes.length = 0
    world.clock.advance(60_000)
    await world.principals.look()
    expect(world.changes).toEqual([{ ended: ended('ann'), problem: null }])
  })

  it('can be moved without ending anything', async () => {
    world.write(principal('ann', { expiresMs: world.clock.wallMs() + 60_000 }))
    await world.principals.look()
    world.changes.length = 0
    world.write(principal('ann', { expiresMs: world.clock.wallMs() + 120_000 }))
    await world.principals.look()
    expect(world.changes).toEqual([{ ended: new Set(), problem: null }])
    world.clock.advance(60_000)
    expect(world.nameOf(tokens.ann)).toBe('ann')
  })
})

describe('the watch', () => {
  it('begins to look at a change within a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      world.principals.watch()
      for (const name of ['bob', 'ann'] as const) {
        const changed = Promise.withResolvers<void>()
        const stop = world.principals.onChange(() => changed.resolve())
        world.write(principal(name))
        await vi.advanceTimersByTimeAsync(1_000)
        await changed.promise
        expect(world.nameOf(tokens[name])).toBe(name)
        stop()
      }
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends when it is disposed of, also while it looks', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      world.principals.watch()
      world.write()
      // The timer has fired, and what it looks at is not known yet.
      vi.advanceTimersToNextTimer()
      const looking = world.principals.look()
      world.principals[Symbol.dispose]()
      await looking
      world.write()
      await vi.advanceTimersByTimeAsync(60_000)
    } finally {
      vi.useRealTimers()
    }
    expect(world.changes).toEqual([])
    expect(world.nameOf(tokens.ann)).toBe('ann')
  })
})
