// Real stores of every earlier format, written by the code of their time: opened, verified, and restored from.
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import {
  action,
  batch,
  earlierFormats,
  earlierStore,
  event,
  health,
  identity,
  monitorIdOf,
  operation,
  resource,
  sloSnapshot,
} from '@pulseward/testing/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatSteps } from './format.ts'
import { restore } from './maintenance/restore.ts'
import { verifyStore } from './maintenance/verify.ts'
import { inThisThread } from './same-thread.fixture.ts'
import { SqliteStore } from './sqlite-store.ts'

const at = 1_700_000_000_000

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

const open = () =>
  SqliteStore.open({ directory: folder.path('data'), now: () => at, startThread: inThisThread })

it('has a store of every format before the present one', () => {
  expect(earlierFormats).toEqual(formatSteps.slice(1).map((_, index) => index + 1))
})

describe.each(earlierFormats)('a store of format %i', (format) => {
  it('keeps all that it held, and takes more', async () => {
    folder.write('data/pulseward.db', earlierStore(format))
    await using store = await open()
    await expectContents(store)
    expect(await store.commit(batch({ events: [event(1)] }))).toMatchObject({ position: 301 })
    const query = { monitorId: monitorIdOf(1), order: 'desc', upTo: 301, after: null, limit: 500 } as const
    const { events } = await store.readEvents(query)
    expect(events).toHaveLength(181)
    expect(events[0]).toMatchObject({ position: 301, numericId: 1 })
    await store.commit(batch({ resources: [resource('shop', 1)], operations: [operation(1)] }))
    expect(await store.readResource('Monitor', 'shop')).toEqual(resource('shop', 1))
    expect(await store.readOperation(1)).toEqual(operation(1))
  })

  it('is what it was for the next process', async () => {
    folder.write('data/pulseward.db', earlierStore(format))
    const key = await (async () => {
      await using store = await open()
      return [...store.identity.key]
    })()
    await using again = await open()
    expect([...again.identity.key]).toEqual(key)
    await expectContents(again)
  })

  it('verifies, and can be restored from as a backup', async () => {
    const file = folder.write('backup.db', earlierStore(format))
    expect(verifyStore(file)).toMatchObject({ problems: [], position: 300, events: 300 })
    await restore({ file, directory: folder.path('data'), force: false, now: at + 5 })
    await using store = await open()
    await expectContents(store)
    expect((await store.recover(0)).restoredFrom).toEqual({ backupAt: at })
  })
})

it('takes what workers said out of the records of a store of format 7, and loses none of it', async () => {
  folder.write('data/pulseward.db', earlierStore(7))
  await using store = await open()
  const words = { evidence: ['‮<b>ü', 'seen'], diagnostic: 'full', data: { depth: 3 } }
  const long = { evidence: [], diagnostic: 'x'.repeat(3_000), data: null }
  const { executions } = await store.recover(0)
  expect(executions).toMatchObject([{ id: 'runs', grantId: 'g-runs', end: null, late: [] }])
  const late = await store.readExecution('late')
  expect(late).toEqual({
    ...{ id: 'late', kind: 'recovery', jobType: 'any', version: '1', monitorId: 'm-1', revision: 1 },
    ...{ principal: 'berlin', workerId: 'berlin-1', grantId: 'g-late', grantedAt: at - 5_000, deadline: at },
    end: { at, disposition: 'unknown', report: null },
    late: [
      {
        id: 'result',
        at: at + 1,
        digest: 'digest-of-result',
        status: 'completed',
        bytes: Buffer.byteLength(JSON.stringify(words)),
      },
      {
        id: 'evidence e-1',
        at: at + 2,
        digest: 'digest-of-e-1',
        status: null,
        bytes: Buffer.byteLength(JSON.stringify(long)),
      },
    ],
  })
  expect(await store.readStatements('late')).toEqual([
    { executionId: 'late', id: 'evidence e-1', ...long },
    { executionId: 'late', id: 'result', ...words },
  ])
  expect(await store.readExecution('reported')).toMatchObject({
    end: { disposition: 'finalized', report: { digest: 'digest-of-report', status: 'delivered' } },
  })
})

async function expectContents(store: SqliteStore): Promise<void> {
  const { identities, ...rest } = await store.recover(1000)
  expect(rest).toMatchObject({
    position: 300,
    highestNumericId: 700,
    blocks: [{ block: 1, bytes: Uint8Array.of(1, 2, 3) }],
    states: [
      { numericId: 1, health: health(3) },
      { numericId: 700, health: health(7) },
    ],
    slo: sloSnapshot(4),
    lastChange: 0,
    lastOperation: 0,
    resources: [],
    destinations: [{ name: 'ops', fingerprint: 'f', dead: { since: 4, reason: 'the destination is gone' } }],
  })
  // Earlier versions kept no reasons, and none is made up.
  expect(rest.actions).toEqual([
    action('a', 1, { because: null }),
    action('b', 700, {
      because: null,
      state: 'succeeded',
      outcome: 'accepted',
      startedAt: at,
      finishedAt: at,
      triedSince: at,
    }),
  ])
  const found = await Array.fromAsync(identities)
  expect(found.flat()).toEqual([identity(0), identity(1), identity(2, { removedAt: at }), identity(700)])
  const { events } = await store.readEvents({
    monitorId: null,
    order: 'asc',
    upTo: 300,
    after: null,
    limit: 500,
  })
  expect(events.map(({ position }) => position)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1))
  expect(events[50]).toMatchObject({ at: at + 50, because: null, detail: { words: '‮<b>ü 50' } })
}
