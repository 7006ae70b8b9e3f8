import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder, until } from '@pulseward/testing'
import { ServicePeer } from '@pulseward/testing/worker-peer'
import { describe, expect, it } from 'vitest'
import { createWorker, success } from './index.ts'
import { Journal } from './journal.ts'
import { reported, startWorker } from './started-worker.fixture.ts'

const noTrouble = (error: unknown) => {
  throw error
}

describe('a journal', () => {
  it('knows what had begun and what is undelivered when it is opened again', async () => {
    using folder = temporaryFolder()
    const path = folder.path('sub/worker.journal')
    const journal = new Journal(path, undefined, noTrouble)
    const of = (executionID: string) =>
      ({ executionID, grantID: `grant of ${executionID}`, kind: 'check' }) as const
    const [begun, finished, ended] = await Promise.all(
      ['begun', 'finished', 'ended'].map((id) => journal.start(of(id))),
    )
    if (!begun || !finished || !ended) throw new Error('three were started')
    await Promise.all([journal.finish(finished, 'its outcome'), journal.finish(ended, 'another')])
    journal.end(ended, 'receipt', 'receipt-1')
    journal.belongsTo('store-one')
    journal.close()

    const again = new Journal(path, undefined, noTrouble)
    expect(again.workerID).toBe(journal.workerID)
    expect(again.interrupted).toMatchObject([of('begun')])
    expect(again.leftOver).toMatchObject([of('finished')])
    expect(again.outcomeOf(finished)).toBe('its outcome')
    expect(['begun', 'finished', 'ended', 'other'].map((id) => again.knows(id))).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect([again.belongsTo('store-one'), again.belongsTo('store-two')]).toEqual([true, false])
    again.close()
  })

  it('stays small: it forgets executions long after they ended, and none that has not', async () => {
    using folder = temporaryFolder()
    const journal = new Journal(folder.path('worker.journal'), undefined, noTrouble)
    const start = (executionID: string) => journal.start({ executionID, grantID: 'g', kind: 'check' })
    await start('still-running')
    for (let round = 0; round < 14; round++) {
      const entries = await Promise.all(
        Array.from({ length: 1_000 }, (_, index) => start(`${round}-${index}`)),
      )
      await Promise.all(entries.map((entry) => journal.finish(entry, '{}')))
      for (const entry of entries) journal.end(entry, 'receipt', 'r')
    }
    journal.close()
    const database = new DatabaseSync(folder.path('worker.journal'), { readOnly: true })
    const { n } = database.prepare('SELECT count(*) AS n FROM executions').get() as { n: number }
    database.close()
    expect(n).toBeLessThanOrEqual(11_001)
    expect([journal.knows('still-running'), journal.knows('0-0'), journal.knows('13-0')]).toEqual([
      true,
      false,
      true,
    ])
  })

  it.runIf(process.platform !== 'win32').each([
    ['a new one', () => {}],
    [
      'one that others could read',
      (path: string) => {
        new Journal(path, undefined, noTrouble).close()
        for (const beside of ['', '-wal', '-shm']) writeFileSync(`${path}${beside}`, '', { flag: 'a' })
        for (const beside of ['', '-wal', '-shm']) chmodSync(`${path}${beside}`, 0o644)
      },
    ],
  ])('is for its owner alone: %s', async (_, make) => {
    using folder = temporaryFolder()
    const path = folder.path('worker.journal')
    const before = process.umask(0o022)
    try {
      make(path)
      const journal = new Journal(path, undefined, noTrouble)
      await journal.start({ executionID: 'exe-1', grantID: 'g', kind: 'check' })
      const rights = readdirSync(folder.path('.')).map(
        (name) => `${name} ${(statSync(folder.path(name)).mode & 0o777).toString(8)}`,
      )
      expect(rights).toContain('worker.journal 600')
      expect(rights).toContain('worker.journal-wal 600')
      expect(rights.filter((words) => !words.endsWith(' 600'))).toEqual([])
      journal.close()
    } finally {
      process.umask(before)
    }
  })

  it.runIf(process.platform !== 'win32')('leaves the rights of a file of something else', () => {
    using folder = temporaryFolder()
    const path = folder.write('worker.journal', 'only some text, which is not a database')
    chmodSync(path, 0o644)
    expect(() => new Journal(path, undefined, noTrouble)).toThrow('cannot be opened')
    expect(statSync(path).mode & 0o777).toBe(0o644)
  })

  it('that another worker has open is refused', async () => {
    await using test = await startWorker()
    const second = createWorker({
      server: test.peer.url,
      token: test.peer.token,
      journal: test.folder.path('worker.journal'),
      handlers: { 'echo@1': () => success() },
      log: false,
    })
    await expect(second.start()).rejects.toMatchObject({
      code: 'journalInUse',
      message: expect.stringContaining('Give each worker a journal of its own.'),
    })
  })

  it.each([
    [
      'a text',
      'not a database at all, only some text that is long enough to be read as a header of one',
      'cannot be opened',
    ],
    ['a database of something else', '', 'is not the journal of a worker'],
    ['a journal of a later version', '', 'has format 99'],
  ])('that is %s is refused and left as it is', async (what, content, sentence) => {
    using folder = temporaryFolder()
    const path = folder.path('worker.journal')
    if (content !== '') folder.write('worker.journal', content)
    if (what.includes('something else')) {
      const database = new DatabaseSync(path)
      database.exec('CREATE TABLE other (id)')
      database.close()
    }
    if (what.includes('later')) {
      new Journal(path, undefined, noTrouble).close()
      const database = new DatabaseSync(path)
      database.exec('PRAGMA user_version = 99')
      database.close()
    }
    expect(() => new Journal(path, undefined, noTrouble)).toThrow(sentence)
    expect(() => new Journal(path, undefined, noTrouble)).toThrow(
      expect.objectContaining({ code: 'journalUnusable' }),
    )
  })

  it('of another service ends the worker with a sentence, and keeps its results', async () => {
    using folder = temporaryFolder()
    const journal = new Journal(folder.path('worker.journal'), undefined, noTrouble)
    journal.belongsTo('store-of-another')
    const entry = await journal.start({ executionID: 'exe-9', grantID: 'g', kind: 'check' })
    await journal.finish(entry, '{"executionID":"exe-9"}')
    journal.close()
    await using test = await startWorker({ journal: folder.path('worker.journal') })
    await expect(test.worker.finished).rejects.toMatchObject({ code: 'journalOfAnotherServer' })
    expect(new Journal(folder.path('worker.journal'), undefined, noTrouble).leftOver).toHaveLength(1)
  })

  it('is not emptied by a service that took the place of its own', { tags: 'long' }, async () => {
    const gate = Promise.withResolvers<void>()
    await using test = await startWorker({ handlers: { 'echo@1': () => gate.promise.then(() => success()) } })
    const { peer, worker, folder } = test
    peer.submit()
    await until(() => worker.status().counters.running === 1)
    peer.serverID = 'store-two'
    peer.executions.clear()
    gate.resolve()
    await expect(worker.finished).rejects.toMatchObject({ code: 'journalOfAnotherServer' })
    expect(worker.status().counters.dropped).toBe(0)
    expect(new Journal(folder.path('worker.journal'), undefined, noTrouble).leftOver).toHaveLength(1)
  })

  it('that cannot be written stops new work, and results go out nevertheless', { tags: 'long' }, async () => {
    await using peer = await ServicePeer.start()
    const gate = Promise.withResolvers<void>()
    let isFull = false
    const exec = DatabaseSync.prototype.exec
    // The disk of the moment: SQLite says what it would say of a full one.
    DatabaseSync.prototype.exec = function (sql) {
      if (isFull && sql === 'COMMIT')
        throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
      return exec.call(this, sql)
    }
    try {
      await using test = await startWorker(
        { handlers: { 'echo@1': () => gate.promise.then(() => success()) } },
        peer,
      )
      const executionID = peer.submit()
      await until(() => test.worker.status().counters.running === 1)
      isFull = true
      gate.resolve()
      expect(await reported(peer, executionID)).toMatchObject({ status: 'success' })
      expect(test.said('error')).toContain('The journal cannot be written.')
      isFull = false
      expect(await reported(peer, peer.submit())).toMatchObject({ status: 'success' })
    } finally {
      DatabaseSync.prototype.exec = exec
    }
  })
})
