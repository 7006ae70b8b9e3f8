import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryFolder } from '@pulseward/testing'
import { hasTerminal, onTerminal, RunningCommand, runCommand } from '@pulseward/testing/process'
import { describe, expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'

interface Overview {
  total: number
  by_status: { up: number }
}

async function overviewOf(url: string): Promise<Overview> {
  return (await (await fetch(`${url}/api/v1/overview`)).json()) as Overview
}

describe('pulseward demo', () => {
  it('shows a fleet that works within seconds and leaves nothing behind', async () => {
    using folder = temporaryFolder()
    const words = ['demo', '--monitors', '50', '--listen', '127.0.0.1:0', '--log-level', 'error']
    await using command = new RunningCommand(words, {
      environment: { TMPDIR: folder.root },
      cwd: folder.root,
    })
    const [, url, inbox] = await command.until(
      'stdout',
      /^Pulseward +(http:\S+)\n[\s\S]*^Fleet +50 monitors\n[\s\S]*^Inbox +(http:\S+) [\s\S]*^Stop /m,
    )
    expect(readdirSync(folder.root)).toEqual([expect.stringMatching(/^pulseward-demo-/)])
    expect((await overviewOf(url!)).total).toBe(50)

    // No event says that a first check is over; the test's own timeout bounds the wait.
    while ((await overviewOf(url!)).by_status.up < 5) await sleep(100)

    expect(await (await fetch(inbox!)).text()).toContain('Inbox of the demo')
    const trend = (await (await fetch(`${url}/api/v1/trend?window=30d`)).json()) as { cells: unknown[] }
    expect(trend.cells.length).toBeGreaterThan(690)

    command.signal('SIGTERM')
    expect(await command.ended).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(folder.root)).toEqual([])
  })

  it.runIf(hasTerminal)('prints a link that signs in, in the edition next', async () => {
    using folder = temporaryFolder()
    const words = ['demo', '--monitors', '5', '--edition', 'next', '--listen', '127.0.0.1:0']
    await using command = new RunningCommand(words, {
      environment: { TMPDIR: folder.root },
      cwd: folder.root,
      through: onTerminal,
    })
    const [, origin, link] = await command.until(
      'stdout',
      /^Sign in +(http:\S+)\/#sign-in=(\S+) [\s\S]*^Stop /m,
    )
    const answer = await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link }),
    })
    expect(await answer.json()).toMatchObject({ name: 'first', role: 'operator' })
  })

  it('removes its folder when the service cannot start', { tags: 'long' }, async () => {
    using folder = temporaryFolder()
    const words = ['demo', '--monitors', '5', '--listen', '0.0.0.0:0']
    const end = await runCommand(words, { environment: { TMPDIR: folder.root } })
    expect(end).toMatchObject({ code: 2, stdout: '' })
    expect(end.stderr).toMatch(/needs a token/)
    expect(readdirSync(folder.root)).toEqual([])
  })

  it.each([
    [['--monitors', '0'], /--monitors: "0" is not allowed here; use a whole number from 1 to 1000000\./],
    [['--monitors', 'many'], /--monitors: "many" is not allowed here/],
    [['--seed', '4294967296'], /--seed: "4294967296" is not allowed here; use a whole number from 0/],
    [['fleet.yaml'], /"fleet\.yaml" is not expected here\./],
    [['--config', 'fleet.yaml'], /There is no flag --config\./],
  ])('refuses %j in one sentence', async (words, sentence) => {
    const end = await runInProcess(['demo', ...words])
    expect(end).toMatchObject({ code: 2, stdout: '' })
    expect(end.stderr).toMatch(sentence)
  })
})
