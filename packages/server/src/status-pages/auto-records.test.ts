// The file of what pages published by themselves: what is kept, for how long, and what happens when it cannot be written.
import { mkdirSync, rmdirSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { expect, it } from 'vitest'
import { silentLog } from '../telemetry/log.ts'
import { type AutoIncident, AutoRecords } from './auto-records.ts'

const dayMs = 86_400_000
const over = (startedAtMs: number, component = 'a'): AutoIncident => ({
  ...{ page: 'shop', component, startedAtMs, publishedAtMs: startedAtMs + 1 },
  resolvedAtMs: startedAtMs + 2,
  state: 'major_outage',
})

it('keeps what goes on, and of what is over 400 days and 2,000 incidents', async () => {
  using folder = temporaryFolder()
  const file = folder.path('file')
  const records = new AutoRecords({ file, log: silentLog })
  records.put({ ...over(0, 'open'), resolvedAtMs: null })
  records.put(over(1, 'old'))
  const nowMs = 401 * dayMs
  for (let number = 0; number < 2_100; number++) records.put(over(nowMs - 10_000 + number))
  records.save(nowMs)
  await records[Symbol.asyncDispose]()
  const again = new AutoRecords({ file, log: silentLog })
  expect(again.of('shop')).toHaveLength(2_000)
  expect(again.open().map(({ component }) => component)).toEqual(['open'])
  expect(again.of('shop').some(({ component }) => component === 'old')).toBe(false)
  expect(again.of('shop').at(-1)!.startedAtMs).toBe(nowMs - 10_000 + 2_099)
})

it('tries again until the file can be written, and says so once', async () => {
  using folder = temporaryFolder()
  const file = folder.path('file')
  mkdirSync(file)
  const said: unknown[] = []
  const records = new AutoRecords({
    file,
    log: { ...silentLog, error: (...words: unknown[]) => void said.push(words[1]) },
  })
  said.length = 0
  records.put(over(1))
  for (let round = 0; round < 2; round++) {
    records.save(1)
    await records[Symbol.asyncDispose]()
  }
  expect(said).toEqual([expect.stringContaining('could not be stored; this is tried again')])
  rmdirSync(file)
  records.save(1)
  await records[Symbol.asyncDispose]()
  expect(new AutoRecords({ file, log: silentLog }).of('shop')).toEqual([over(1)])
})

it('does not open what is over again', () => {
  const records = new AutoRecords({ file: null, log: silentLog })
  records.put(over(1))
  records.put({ ...over(1), resolvedAtMs: null })
  expect(records.open()).toEqual([])
})
