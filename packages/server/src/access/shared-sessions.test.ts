// Sessions in a store that several machines share, without the store: what is written and when, and what happens while it
// cannot be written.
import { FakeClock } from '@pulseward/testing'
import { expect, it } from 'vitest'
import type { StoredSession } from '../store/shared-access.ts'
import { StoreError } from '../store/store.ts'
import { sessionsInStore } from './shared-sessions.ts'

const secret = Buffer.from('known to all')

function sharedStore(stored: readonly StoredSession[] = []) {
  const kept = new Map(stored.map((session) => [session.key, session]))
  const shared = {
    kept,
    trouble: null as StoreError | null,
    read: async () => [...kept.values()],
    async change(opened: readonly StoredSession[], ended: readonly string[]) {
      if (shared.trouble !== null) throw shared.trouble
      for (const key of ended) kept.delete(key)
      for (const session of opened) kept.set(session.key, session)
    },
  }
  return shared
}

it('writes what is opened and ended, and reads it when the next process begins', async () => {
  const shared = sharedStore()
  const clock = new FakeClock()
  const first = await sessionsInStore(shared, secret, clock)
  const session = { digest: 'd', openedAtMs: clock.monotonicMs(), openedAtWallMs: clock.wallMs() }
  for (const key of ['a', 'b']) first.set(key, session)
  await first.kept()
  expect(first.delete('a')).toBe(true)
  expect(first.delete('a')).toBe(false)
  await first.kept()
  clock.advance(60_000)
  const second = await sessionsInStore(shared, secret, clock)
  expect([...second.entries()]).toEqual([['b', { ...session, openedAtMs: clock.monotonicMs() - 60_000 }]])
  expect(second.csrfKey).toEqual(first.csrfKey)
  expect(second.csrfKey).not.toEqual((await sessionsInStore(shared, Buffer.from('other'), clock)).csrfKey)
})

it('ends a session here while the store cannot be written, and there as soon as it can', async () => {
  const clock = new FakeClock()
  const shared = sharedStore([{ key: 'a', digest: 'd', openedAt: clock.wallMs() }])
  const sessions = await sessionsInStore(shared, secret, clock)
  shared.trouble = new StoreError('io', 'Away.')
  sessions.delete('a')
  await expect(sessions.kept()).rejects.toThrow('Away.')
  expect([sessions.size, shared.kept.size]).toEqual([0, 1])
  shared.trouble = null
  await sessions.kept()
  expect(shared.kept.size).toBe(0)
})

it('takes a session from the future for one that was opened now', async () => {
  const clock = new FakeClock()
  const sessions = await sessionsInStore(
    sharedStore([{ key: 'a', digest: 'd', openedAt: clock.wallMs() + 5_000 }]),
    secret,
    clock,
  )
  expect(sessions.get('a')?.openedAtMs).toBe(clock.monotonicMs())
})
