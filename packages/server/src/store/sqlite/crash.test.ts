// A process that is killed in the middle of its commits: what it said was committed is there, and its lock is free.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { temporaryFolder } from '@pulseward/testing'
import { batch, operation } from '@pulseward/testing/store'
import { expect, it } from 'vitest'
import { dataDirectory } from '../data-directory.ts'
import { verifyStore } from './maintenance/verify.ts'
import { SqliteStore } from './sqlite-store.ts'

const storeModule = new URL('sqlite-store.ts', import.meta.url).href
const samplesModule = import.meta.resolve('@pulseward/testing/store')

/** Commits without a pause and says each position that was acknowledged. */
const program = `
  import { writeSync } from 'node:fs'
  import { SqliteStore } from '${storeModule}'
  import { batch, event, identity, action, health, operation, resource, deletion } from '${samplesModule}'
  const store = await SqliteStore.open({ directory: process.argv[2], now: Date.now })
  const { lastChange } = await store.recover(0)
  for (let round = 0; ; round++) {
    const number = round % 300
    const change = lastChange + round + 1
    const { position } = await store.commit(batch({
      identities: [identity(number, { revision: round })],
      events: [event(number, { detail: { round } }), event(null), event(number)],
      actions: [action('action-' + round, number)],
      states: [{ numericId: number, health: health(round) }],
      resources: [change % 5 === 0 ? deletion('m-' + (change - 5), change) : resource('m-' + change, change)],
      operations: [operation(change)],
    }))
    writeSync(1, position + '\\n')
  }
`

async function killInTheMiddle(script: string, directory: string, acknowledgements: number): Promise<number> {
  const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  let last = 0
  let seen = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = Number(line)
    if (++seen === acknowledgements) child.kill('SIGKILL')
  })
  await once(child, 'close')
  return last
}

/** As many changes as batches, and of each the resource that it made and its operation. */
async function expectResources(store: SqliteStore, changes: number): Promise<void> {
  const { lastChange, lastOperation, monitors } = await store.recover(0)
  expect({ lastChange, lastOperation }).toEqual({ lastChange: changes, lastOperation: changes })
  expect(await store.readOperation(changes)).toEqual(operation(changes))
  const made = (await Array.fromAsync(monitors)).flat().map(({ change }) => change)
  const expected = Array.from({ length: changes }, (_, index) => index + 1).filter(
    (change) => change % 5 !== 0,
  )
  expect(made.sort((one, other) => one - other)).toEqual(expected)
}

it('keeps every acknowledged batch whole over SIGKILL, and positions only grow', async () => {
  using folder = temporaryFolder()
  const directory = folder.path('data')
  const script = folder.write('commits-forever.mjs', program)
  let before = 0
  for (const acknowledgements of [1, 40, 200]) {
    const acknowledged = await killInTheMiddle(script, directory, acknowledgements)
    expect(acknowledged).toBeGreaterThan(before)

    expect(verifyStore(dataDirectory(directory).database).problems).toEqual([])
    await using store = await SqliteStore.open({ directory, now: Date.now })
    const { position, actions } = await store.recover(Number.MAX_SAFE_INTEGER)
    // A batch has three events and one action: a part of one would show.
    expect(position).toBeGreaterThanOrEqual(acknowledged)
    expect(position % 3).toBe(before % 3)
    expect(position - acknowledged).toBeLessThanOrEqual(3)
    const rounds = new Set<number>()
    for (let after: number | null = null; ; ) {
      const page = await store.readEvents({
        monitorId: null,
        order: 'asc',
        upTo: position,
        after,
        limit: 500,
      })
      for (const { detail } of page.events)
        if (detail !== null) rounds.add((detail as { round: number }).round)
      if (!page.more) break
      after = page.events.at(-1)!.position
    }
    expect(actions.length).toBe(rounds.size)
    await expectResources(store, position / 3)
    const committed = await store.commit(batch({}))
    expect(committed.position).toBe(position)
    before = position
  }
})
