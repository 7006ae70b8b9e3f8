// What was staged is lost while the service runs, or the thread that works on it dies: the operation ends with a reason or
// goes on, and those behind it are applied.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { v2 } from '@pulseward/contract'
import { expectV2Answer } from '@pulseward/testing/api'
import { loseStaged, testStoreMode } from '@pulseward/testing/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itemsOf, monitor, outcomesOf, ServedBulk } from './served.fixture.ts'

/** Every thread that was started for operations, in order: Node tells the process of each. */
const threads: Worker[] = []
const noteThread = (worker: Worker) => {
  if (worker.threadName === 'bulk') threads.push(worker)
}
let served: ServedBulk
beforeAll(async () => {
  process.on('worker', noteThread)
  served = await ServedBulk.start()
})
afterAll(async () => {
  process.off('worker', noteThread)
  await served[Symbol.asyncDispose]()
})

const killThread = async () => void (await threads.at(-1)?.terminate())

const many = 4_000
const fleetOf = (prefix: string) => Array.from({ length: many }, (_, n) => monitor(`${prefix}-${n}`))

async function overwriteFiles(): Promise<void> {
  const folder = served.folder.path('data/staging')
  for (const name of readdirSync(folder))
    if (name.endsWith('.db')) writeFileSync(join(folder, name), 'no database '.repeat(1_000))
}

const losses = {
  removed: { word: 'gone', lose: () => loseStaged(served.folder.path('data')) },
  // In PostgreSQL these files are copies, and no loss.
  ...(testStoreMode('sqlite') === 'sqlite' ? { overwritten: { word: 'damaged', lose: overwriteFiles } } : {}),
}

describe.each(Object.entries(losses))('an operation whose staging is %s', (prefix, { lose, word }) => {
  it('ends while it is applied and says why, and later ones are applied', { tags: 'long' }, async () => {
    const id = await served.staged(...fleetOf(prefix))
    void served.call('ActivateOperation', { id }).catch(() => {})
    await expect.poll(async () => (await served.read(id)).state, { interval: 5 }).not.toBe('validated')
    await lose()
    await killThread()
    const { state, committed, reason } = await served.ended(id)
    expect(['partial', 'failed', 'completed']).toContain(state)
    // A fast machine has applied all of it by then.
    if (state !== 'completed')
      expect(reason).toBe(
        `What was staged for it is ${word}; ${many - (committed ?? 0)} items were not attempted.`,
      )
    expect(outcomesOf(await served.apply(monitor(`${prefix}-next`)))).toEqual([
      `Monitor/${prefix}-next created`,
    ])
  })

  it('has expired when it waits for its client', async () => {
    const id = await served.staged(monitor(`${prefix}-waiting`))
    await lose()
    await killThread()
    const sentence = new RegExp(`^What was staged for it is ${word}`)
    expect(await served.refusal('ActivateOperation', { id }, 'operationExpired')).toMatch(sentence)
    expect(await served.refusal('GetOperation', { id }, 'operationExpired')).toMatch(sentence)
  })

  it('ends at the next start, and later ones are applied', { tags: 'long' }, async () => {
    const id = await served.staged(monitor(`${prefix}-restarted`))
    await served.stop()
    await lose()
    await served.resume()
    await served.refusal('GetOperation', { id }, 'operationExpired')
    expect((await served.apply(monitor(`${prefix}-later`))).state).toBe('completed')
  })
})

describe('a thread that dies', () => {
  it('while calls wait has them answered with 503, and the same calls work afterwards', {
    tags: 'long',
  }, async () => {
    const items = itemsOf(...fleetOf('killed'))
    const id = await served.create(items)
    await served.upload(id, items)
    const calls = () => ['ValidateOperation', 'ValidateOperation'] as const
    const answers = calls().map((name) => served.call(name, { id }))
    await killThread()
    for (const { status } of await Promise.all(answers)) expect([200, 503]).toContain(status)
    expect((await served.validate(id)).valid).toBe(true)
    void served.call('ActivateOperation', { id }).catch(() => {})
    await expect.poll(async () => (await served.read(id)).state, { interval: 5 }).not.toBe('validated')
    await killThread()
    const operation: v2.Operation = await served.ended(id)
    expect(operation).toMatchObject({ state: 'completed', committed: many })
    // Nothing of it is locked any more.
    await served.put(monitor('killed-1', { tags: ['after'] }))
    await expectV2Answer('GetMonitor', await served.call('GetMonitor', { id: 'killed-1' }))
  })
})
