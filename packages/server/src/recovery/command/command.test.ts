import { existsSync, readFileSync } from 'node:fs'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { recoverOnce } from '@pulseward/testing/recovery'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { command } from './command.ts'

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => {
  folder[Symbol.dispose]()
  vi.unstubAllEnvs()
})

const run = (argv: string[], options: { allowCommand?: boolean; timeoutMs?: number } = {}) =>
  recoverOnce(command, { argv }, { allowCommand: true, timeoutMs: 5_000, ...options })

describe('the command recovery', () => {
  it('runs nothing unless the settings allow it', async () => {
    const file = folder.path('ran')
    expect(await run(['touch', file], { allowCommand: false })).toEqual({
      kind: 'rejected',
      reason: 'programs may not be run unless recovery.allow_command is set',
    })
    expect(existsSync(file)).toBe(false)
  })

  it('passes arguments to the program unchanged, and never to a shell', async () => {
    const file = folder.path('$(id) ; `id` & "x" *')
    expect(await run(['touch', file])).toEqual({ kind: 'accepted' })
    expect(existsSync(file)).toBe(true)
  })

  it('tells the program which monitor it is for, and nothing of our environment that may hold a secret', async () => {
    vi.stubEnv('OPS_SLACK_HOOK', 'https://hooks.test/SECRET')
    vi.stubEnv('PULSEWARD_TOKEN_FILE', '/run/secrets/token')
    vi.stubEnv('NODE_OPTIONS', '--no-warnings')
    const file = folder.path('environment')
    expect(await run(['/bin/sh', '-c', 'env > "$0"', file])).toEqual({ kind: 'accepted' })
    const environment = readFileSync(file, 'utf8')
    expect(environment).toMatch(/^PULSEWARD_MONITOR_ID=checkout-api$/m)
    expect(environment).toMatch(/^PULSEWARD_ACTION_ID=0mfx-9$/m)
    expect(environment).toMatch(/^PATH=/m)
    expect(environment).not.toMatch(/SECRET|TOKEN|NODE_OPTIONS/)
  })

  it('accepts exit code 0 and rejects any other', async () => {
    expect(await run(['/bin/sh', '-c', 'exit 0'])).toEqual({ kind: 'accepted' })
    expect(await run(['/bin/sh', '-c', 'echo SECRET; exit 7'])).toEqual({
      kind: 'rejected',
      reason: '/bin/sh ended with exit code 7',
    })
  })

  it('does not know the outcome of a program that was killed', async () => {
    expect(await run(['/bin/sh', '-c', 'kill -TERM $$'])).toEqual({
      kind: 'unknown',
      reason: '/bin/sh was ended by SIGTERM',
    })
  })

  it('is rejected if there is no such program', async () => {
    expect(await run([folder.path('missing')])).toMatchObject({
      kind: 'rejected',
      reason: expect.stringMatching(/missing does not exist$/),
    })
  })

  it('kills a program and everything it started at the deadline, with an unknown outcome', async () => {
    const file = folder.path('pids')
    const script = 'trap "" TERM HUP; sleep 60 & echo $$ $! > "$0.part"; mv "$0.part" "$0"; wait'
    expect(await run(['/bin/sh', '-c', script, file], { timeoutMs: 700 })).toEqual({
      kind: 'unknown',
      reason: '/bin/sh did not end within 700 ms and was killed',
    })
    const pids = readFileSync(file, 'utf8').trim().split(' ').map(Number)
    expect(pids).toHaveLength(2)
    await expect.poll(() => pids.filter(isRunning)).toEqual([])
  })

  it('does not wait for what a program deliberately leaves running', async () => {
    const file = folder.path('pid')
    expect(await run(['/bin/sh', '-c', 'sleep 60 & echo $! > "$0"', file])).toEqual({ kind: 'accepted' })
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
  })

  it('shows the program without its arguments, and tells commands apart by all of them', () => {
    expect(command.target({ argv: ['/usr/bin/restart', '--token=SECRET'] })).toBe('/usr/bin/restart')
    expect(command.targetKey({ argv: ['a', 'b c'] })).not.toBe(command.targetKey({ argv: ['a', 'b', 'c'] }))
  })
})

/** A process that ended and waits for its parent to notice counts as ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
