// A job that reports by itself, as get and describe show it to people, against the real service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServedNext } from '../client/served.fixture.ts'

const keys = {
  KEY: 'job-key-0123456789-abcdef',
  OLD: 'old-key-0123456789-abcdef',
  NEW: 'new-key-0123456789-abcdef',
  SLOW: 'slow-key-0123456789-abcde',
}
const fleet = `
credentials: { key: { env: KEY }, old: { env: OLD }, new: { env: NEW }, slow: { env: SLOW } }
monitors:
  - id: backup
    name: Backup
    check: { type: push, config: { every: 1h, max_runtime: 2h, key: { credential: key }, previous_key: { credential: old } } }
  - { id: fresh, name: Fresh, check: { type: push, config: { cron: "0 3 * * *", key: { credential: new } } } }
  - { id: slow, name: Slow, check: { type: push, config: { every: 1s, grace: 1h, key: { credential: slow } } } }
`

let served: ServedNext
beforeAll(async () => {
  served = await ServedNext.start({ fleet, environment: keys })
})
afterAll(() => served[Symbol.asyncDispose]())

const run = async (line: string) => (await served.run(line.split(' '))).stdout

async function report(path: string, body?: string): Promise<void> {
  const { status } = await fetch(`${served.url}/push/${path}`, {
    method: 'POST',
    ...(body === undefined ? {} : { body }),
  })
  expect(status).toBe(200)
}

describe.each(['get monitor', 'describe monitor'])('%s', (command) => {
  it('says that nothing has come yet', async () => {
    const shown = await run(`${command} fresh`)
    expect(shown).toMatch(/^Check +push$/m)
    expect(shown).toMatch(/^Reports +waiting for its first signal$/m)
    expect(shown).not.toMatch(/^(Interval|Timeout|Next check) /m)
  })

  it('says since when it is late', async () => {
    await report(keys.SLOW)
    const late = /^Reports +late since \d\d:\d\d/m
    await expect.poll(() => run(`${command} slow`), { timeout: 60_000 }).toMatch(late)
  })

  it('shows the last signal, what is expected, open runs, and the use of the previous key', async () => {
    await report(`${keys.OLD}`)
    await report(`${keys.KEY}/start?rid=run-1`)
    const shown = await run(`${command} backup`)
    expect(shown).toMatch(/^Reports +in time$/m)
    expect(shown).toMatch(/^Expected +(\d+ \w+ )?\d\d:\d\d/m)
    expect(shown).toMatch(/^Last signal +start, \d\d:\d\d/m)
    expect(shown).toMatch(/^Running +run-1, since \d\d:\d\d/m)
    expect(shown).toMatch(/^Previous key +last used \d\d:\d\d:\d\d; remove it when no job uses it any more$/m)
  })
})

describe('describe monitor', () => {
  it('says what happens next', async () => {
    expect(await run('describe monitor fresh')).toMatch(
      /^Next +Nothing is expected until its first signal\.$/m,
    )
    expect(await run('describe monitor backup')).toMatch(/^Next +The next signal is expected at /m)
  })

  it('lists what the job said, and shows no key', async () => {
    await report(`${keys.KEY}/3?rid=run-1`, `tape ${keys.KEY}\nno tape\n`)
    await report(`${keys.KEY}/log`, 'half way\n')
    const shown = await run('describe monitor backup')
    expect(shown).toMatch(/^\S+ +failure +exit code 3: no tape +.*run-1$/m)
    expect(shown).toMatch(/^\S+ +log +half way/m)
    for (const key of Object.values(keys)) expect(shown).not.toContain(key)
  })
})
