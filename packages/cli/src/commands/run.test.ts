// `pulseward run` and `pulseward push-key` as processes: what a job sees and what its caller sees.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { temporaryFolder } from '@pulseward/testing'
import { commandStart, RunningCommand, runCommand } from '@pulseward/testing/process'
import { describe, expect, it } from 'vitest'
import { PushService } from '../push-run/push-service.fixture.ts'

const key = 'A_key-of-a-push-monitor'
const script = 'env; tr "\\0" " " < /proc/$PPID/cmdline'
const withKey = { environment: { PULSEWARD_PUSH_KEY: key } }

/** Runs a shell script as the job. */
function job(service: PushService, script: string): Promise<Awaited<ReturnType<typeof runCommand>>> {
  return runCommand(['run', '--server', service.url, '--', '/bin/sh', '-c', script], withKey)
}

describe('pulseward run', () => {
  it('passes output and exit code on, and reports the run under one id', async () => {
    await using service = await PushService.start()
    expect(await job(service, 'echo to stdout; echo to stderr >&2; exit 7')).toEqual({
      code: 7,
      signal: null,
      stdout: 'to stdout\n',
      stderr: 'to stderr\n',
    })
    const [start, end, ...others] = service.signals
    expect([start?.what, end?.what, others]).toEqual(['start', '7', []])
    expect(end?.body).toBe('to stderr\n')
    expect(start?.rid).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
    expect(end?.rid).toBe(start?.rid)
    expect(end?.key).toBe(key)
  })

  it('gives each of two runs at once an id of its own', { tags: 'long' }, async () => {
    await using service = await PushService.start()
    await Promise.all([job(service, 'true'), job(service, 'exit 1')])
    expect(new Set(service.signals.map(({ rid }) => rid)).size).toBe(2)
  })

  it('passes much output on, and reports its last 10 kB', { tags: 'long' }, async () => {
    await using service = await PushService.start()
    const { code, stderr } = await job(
      service,
      'i=0; while [ $i -lt 30000 ]; do echo "line $i" >&2; i=$((i+1)); done',
    )
    expect([code, stderr.split('\n').length]).toEqual([0, 30_001])
    const { body = '' } = service.signals.at(-1) ?? {}
    expect(Buffer.byteLength(body)).toBe(10_000)
    expect(body.endsWith('line 29999\n')).toBe(true)
  })

  it('keeps the key from the job, and what the launcher sets for our own runtime', {
    tags: 'long',
  }, async () => {
    await using service = await PushService.start()
    const words = [commandStart.program, 'run', '--server', service.url, '--', 'sh', '-c', script]
    const environment = { PATH: process.env['PATH'], PULSEWARD_PUSH_KEY: key, MALLOC_ARENA_MAX: '7' }
    const { stdout } = await promisify(execFile)(process.execPath, words, { env: environment })
    expect(stdout).not.toContain(key)
    const names = stdout.split('\n').flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? [])
    expect(names).toContain('PATH')
    expect(names.filter((name) => /^(PULSEWARD|NODE)_|^MALLOC_MMAP/.test(name))).toEqual([])
    // What the user sets stays.
    expect(stdout).toMatch(/^MALLOC_ARENA_MAX=7$/m)
  })

  it('reads the key from a file or another variable', { tags: 'long' }, async () => {
    await using service = await PushService.start()
    using folder = temporaryFolder()
    const file = folder.write('backup.key', `${key}\n`)
    const words = ['--server', service.url, '--', 'true']
    await runCommand(['run', '--key-file', file, ...words])
    await runCommand(['run', '--key-env', 'BACKUP_KEY', ...words], { environment: { BACKUP_KEY: key } })
    expect(service.signals.map((signal) => [signal.key, signal.what])).toEqual([
      [key, 'start'],
      [key, '0'],
      [key, 'start'],
      [key, '0'],
    ])
  })

  it.each([
    ['a key that is not set', [], {}, 'the variable PULSEWARD_PUSH_KEY is not set'],
    [
      'a key in place of its variable',
      ['--key-env', key],
      {},
      'the variable that --key-env names is not set',
    ],
    [
      'a key file that is missing',
      ['--key-file', '/nowhere/key'],
      {},
      'the key file /nowhere/key does not exist',
    ],
    [
      'a key that is none',
      [],
      { PULSEWARD_PUSH_KEY: 'a secret with spaces' },
      'the variable PULSEWARD_PUSH_KEY does not hold a key: that is 22 to 128 letters, digits, - and _ alone',
    ],
    [
      'an address that is none',
      ['--server', 'pulseward.example'],
      { PULSEWARD_PUSH_KEY: key },
      'the address of the service is not an http or https URL without user and query',
    ],
  ])('runs the job also with %s', async (_title, flags, environment, why) => {
    const { code, stdout, stderr } = await runCommand(
      ['run', ...flags, '--', 'sh', '-c', 'echo ran; exit 4'],
      {
        environment,
      },
    )
    expect([code, stdout]).toEqual([4, 'ran\n'])
    expect(stderr).toBe(`pulseward: the job runs, but nothing is reported: ${why}.\n`)
  })

  it('ends with 127 when there is no such command, and reports it', async () => {
    await using service = await PushService.start()
    const sentence = 'pulseward: /nowhere/backup: command not found\n'
    const end = await runCommand(['run', '--server', service.url, '--', '/nowhere/backup'], withKey)
    expect(end).toMatchObject({ code: 127, stderr: sentence })
    expect(service.signals.at(-1)).toMatchObject({ what: '127', body: sentence })
  })

  it('ends with 126 when the command cannot be executed, and reports it', { tags: 'long' }, async () => {
    await using service = await PushService.start()
    using folder = temporaryFolder()
    const file = folder.write('backup.sh', 'exit 0\n')
    const sentence = `pulseward: ${file}: cannot be executed (EACCES)\n`
    const end = await runCommand(['run', '--server', service.url, '--', file], withKey)
    expect(end).toMatchObject({ code: 126, stderr: sentence })
    expect(service.signals.at(-1)).toMatchObject({ what: '126', body: sentence })
  })

  it('needs a command', async () => {
    const { code, stderr } = await runCommand(['run', '--'], withKey)
    expect([code, stderr]).toEqual([
      2,
      'pulseward: Name the command to run after --: pulseward run --key-file FILE -- COMMAND\n',
    ])
  })

  it('forwards a signal, and lets the job decide what it means', async () => {
    await using service = await PushService.start()
    const script = 'trap "echo stopping; exit 9" TERM; echo ready; while :; do sleep 0.05; done'
    await using command = new RunningCommand(
      ['run', '--server', service.url, '--', '/bin/sh', '-c', script],
      withKey,
    )
    await command.until('stdout', /^ready$/m)
    command.signal('SIGTERM')
    expect(await command.ended).toMatchObject({ code: 9, stdout: 'ready\nstopping\n' })
    expect(service.signals.at(-1)).toMatchObject({ what: '9' })
  })

  it('ends with 128 and the number of the signal that killed the job', { tags: 'long' }, async () => {
    await using service = await PushService.start()
    expect(await job(service, 'echo last words >&2; kill -KILL $$')).toMatchObject({ code: 137 })
    expect(service.signals.at(-1)).toMatchObject({ what: '137', body: 'last words\n' })
  })

  it('does not wait for what the job leaves behind', { tags: 'long' }, async () => {
    await using service = await PushService.start()
    await using command = new RunningCommand(
      ['run', '--server', service.url, '--', '/bin/sh', '-c', 'sleep 600 <&- >&- & echo $!; exit 0'],
      withKey,
    )
    const [, left = ''] = await command.until('stdout', /^(\d+)$/m)
    expect(await command.ended).toMatchObject({ code: 0 })
    process.kill(Number(left))
    expect(service.signals.at(-1)).toMatchObject({ what: '0' })
  })

  it('tries a service that fails again after the job, until it is told to end', {
    tags: 'long',
  }, async () => {
    await using service = await PushService.start()
    service.answer = ({ what }) =>
      what === 'start' ? 'reset' : { status: 503, headers: { 'Retry-After': '1' } }
    await using command = new RunningCommand(
      ['run', '--server', service.url, '--', '/bin/sh', '-c', 'exit 5'],
      withKey,
    )
    await service.until((signals) => signals.filter(({ what }) => what === '5').length === 2)
    command.signal('SIGTERM')
    const { code, stderr } = await command.ended
    expect(code).toBe(5)
    expect(stderr).toMatch(/^pulseward: the service was not told how the job ended: .*\.\n$/)
    expect(stderr).not.toContain(key)
  })
})

describe('pulseward push-key create', () => {
  it('prints a key, alone and another one each time', async () => {
    const [first, second] = await Promise.all([
      runCommand(['push-key', 'create']),
      runCommand(['push-key', 'create']),
    ])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(/^[A-Za-z0-9_-]{43}\n$/)
    expect(second.stdout).not.toBe(first.stdout)
  })

  it('says what it can do', async () => {
    expect(await runCommand(['push-key', 'list'])).toMatchObject({
      code: 2,
      stderr: 'pulseward: Say what to do: pulseward push-key create.\n',
    })
  })
})
