// `pulseward sign-in`, and the link that a start on a terminal prints.
import { hasTerminal, onTerminal, RunningCommand } from '@pulseward/testing/process'
import { describe, expect, it } from 'vitest'
import { ServedNext } from '../client/served.fixture.ts'

const form = /^http:\/\/127\.0\.0\.1:\d+\/#sign-in=([A-Za-z0-9_-]{43})$/m

async function signInBy(url: string, link: string): Promise<number> {
  const answer = await fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link }),
  })
  return answer.status
}

describe('pulseward sign-in', () => {
  it('prints a link that works once, alone on stdout', async () => {
    await using served = await ServedNext.start()
    const { code, stdout, stderr } = await served.run(['sign-in'])
    const [line, secret = ''] = form.exec(stdout) ?? []
    expect([code, stdout, stderr]).toEqual([0, `${line}\n`, ''])
    const seen = await served.run(['sign-in'], { columns: 80 })
    expect(seen.stdout).toMatch(form)
    expect(seen.stderr).toMatch(/signs in whoever opens it first, once, until \d{4}-.* UTC\.\n$/)
    expect([await signInBy(served.url, secret), await signInBy(served.url, secret)]).toEqual([200, 401])
  })

  it('needs the token of an operator', async () => {
    await using served = await ServedNext.start()
    const { code, stdout } = await served.run(['sign-in'], {
      environment: { PULSEWARD_TOKEN: 'a-wrong-token-of-v1' },
    })
    expect([code, stdout]).toEqual([3, ''])
  })
})

describe('a start of the edition next', () => {
  it.runIf(hasTerminal)('prints a link that works to a terminal', async () => {
    await using command = new RunningCommand(
      ['serve', '--edition', 'next', '--listen', '127.0.0.1:0', '--log-format', 'pretty'],
      { through: onTerminal },
    )
    const [, url = '', link = ''] = await command.until(
      'stdout',
      /^Pulseward +(http:\S+)\s+^Sign in +(http:\S+)\s[\s\S]*^Stop /m,
    )
    const [, secret = ''] = form.exec(link) ?? []
    expect(await signInBy(url, secret)).toBe(200)
  })

  it('prints none into a pipe', async () => {
    await using command = await RunningCommand.serve(['--edition', 'next'])
    command.signal('SIGTERM')
    const { stdout, stderr } = await command.ended
    expect(stdout + stderr).not.toContain('sign-in')
  })
})
