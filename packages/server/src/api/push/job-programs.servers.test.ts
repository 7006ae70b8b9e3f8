// The programs with which jobs report, as people call them, against a real service: each says what it should, and fails
// where a job should notice. The calls are those of docs/push.md, and those that move in from Uptime Kuma.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { temporaryFolder } from '@pulseward/testing'
import { type ServiceInProcess, serveInProcess } from '@pulseward/testing/process'
import {
  cron,
  curl,
  describeServer,
  pythonRequests,
  startCron,
  systemdAnalyze,
  wget,
  whyNoCron,
} from '@pulseward/testing/servers'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** Each has a key of its own: ten signals in ten seconds are too many for one. */
const programs = ['curl', 'wget', 'python', 'cron', 'systemd'] as const
const keyOf = (program: string) => `the-key-for-${program}-`.padEnd(30, '0')
const fleet = `
credentials:
${programs.map((program) => `  ${program}: { env: KEY_${program} }`).join('\n')}
monitors:
${programs.map((program) => `  - { id: ${program}, name: ${program}, check: { type: push, config: { every: 1h, key: { credential: ${program} } } } }`).join('\n')}
`
const folder = temporaryFolder({ 'fleet.yaml': fleet, 'job.log': 'one\ntwo\n', 'job.sh': 'exit 3\n' })
const environment = Object.fromEntries(programs.map((program) => [`KEY_${program}`, keyOf(program)]))

let service: ServiceInProcess
beforeAll(async () => {
  service = await serveInProcess(['--config', folder.path('fleet.yaml')], { environment })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

interface Signal {
  readonly kind: string
  readonly exit_code: number | null
  readonly message: string
  readonly output: string
}

interface Job {
  readonly status: string
  readonly last_signal: string | null
  readonly last_signal_at: string | null
  readonly signals: readonly Signal[]
}

/** The addresses of a program's job, and what is known of it. */
function jobOf(program: (typeof programs)[number]) {
  const key = keyOf(program)
  return {
    address: () => `${service.url}/push/${key}`,
    kumas: () => `${service.url}/api/push/${key}?status=up&msg=OK&ping=`,
    async job(): Promise<Job> {
      const answer = await fetch(`${service.url}/api/v1/monitors/${programs.indexOf(program) + 1}`)
      const { status, push } = (await answer.json()) as { status: string; push: Job }
      return { ...push, status }
    },
  }
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
}

async function run(program: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(program, words, { cwd: folder.root, env: { ...process.env, ...env } })
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout }
}

describeServer(curl, (program) => {
  const { address, kumas, job } = jobOf('curl')
  const flags = ['-fsS', '-m', '10', '--retry', '5']

  it('reports a success, a start, and an end with its exit code and output', async () => {
    expect(await run(program, [...flags, address()])).toEqual({ code: 0, stdout: 'ok\n' })
    expect((await job()).status).toBe('up')
    await run(program, [...flags, '-o', '/dev/null', `${address()}/start`])
    expect((await job()).last_signal).toBe('start')
    await run(program, [...flags, '--data-binary', '@job.log', `${address()}/3`])
    const { status, signals } = await job()
    expect(status).toBe('incident')
    expect(signals[0]).toMatchObject({ exit_code: 3, message: 'exit code 3: two', output: 'one\ntwo\n' })
  })

  it('does so by the line of a shell script', async () => {
    const line = `sh job.sh; ${program} ${flags.join(' ')} -o /dev/null ${address()}/$?`
    expect(await run('sh', ['-c', line])).toMatchObject({ code: 0 })
    expect((await job()).signals[0]).toMatchObject({ kind: 'fail', exit_code: 3 })
  })

  it('fails when the key is wrong', async () => {
    expect((await run(program, ['-fsS', `${address()}x`])).code).toBe(22)
  })

  it('is understood with the address of Uptime Kuma', async () => {
    expect(await run(program, ['-s', '-o', '/dev/null', kumas()])).toMatchObject({ code: 0 })
    expect(await job()).toMatchObject({ status: 'up', last_signal: 'success' })
    await run(program, ['-s', '-o', '/dev/null', kumas().replace('up&msg=OK', 'down&msg=disk%20full')])
    expect((await job()).signals[0]).toMatchObject({
      kind: 'fail',
      message: 'the job reported a failure: disk full',
    })
  })
})

describeServer(wget, (program) => {
  const { address, job } = jobOf('wget')
  it('reports a success, also by HEAD, and a failure with output', async () => {
    expect(await run(program, ['-q', '-O', '-', address()])).toEqual({ code: 0, stdout: 'ok\n' })
    expect((await run(program, ['-q', '--spider', address()])).code).toBe(0)
    await run(program, ['-q', '-O', '-', '--post-file=job.log', `${address()}/fail`])
    expect((await job()).signals[0]).toMatchObject({ kind: 'fail', output: 'one\ntwo\n' })
  })

  it('fails when the key is wrong', async () => {
    expect((await run(program, ['-q', '-O', '-', `${address()}x`])).code).toBe(8)
  })
})

describeServer(pythonRequests, (program) => {
  const { address, kumas, job } = jobOf('python')
  it('reports by requests, and by what Python has itself', async () => {
    const script = `
import sys, urllib.request, requests
address, kumas = sys.argv[1:]
print(requests.get(address, timeout=10).text, end="")
print(requests.post(address + "/4", params={"rid": "a.1"}, data="no tape\\n", timeout=10).status_code)
print(urllib.request.urlopen(kumas).status)
print(requests.get(address + "x", timeout=10).status_code)
`
    expect(await run(program, ['-c', script, address(), kumas()])).toEqual({
      code: 0,
      stdout: 'ok\n200\n200\n404\n',
    })
    const { signals, last_signal } = await job()
    expect(last_signal).toBe('success')
    expect(signals[0]).toMatchObject({ kind: 'fail', exit_code: 4, rid: 'a.1', output: 'no tape\n' })
  })
})

describeServer(cron, (program) => {
  const { address, job } = jobOf('cron')
  it('runs a script and reports how it ended', async ({ skip }) => {
    const why = whyNoCron()
    if (why !== null) skip(why)
    const before = await job()
    const script = folder.path('job.sh')
    const line = `sh ${script}; curl -fsS -m 10 --retry 5 -o /dev/null ${address()}/$?`
    await using running = await startCron(program, `SHELL=/bin/sh\n@reboot root ${line}\n`)
    const reported = async () => (await job()).last_signal_at
    await expect.poll(reported, { timeout: 120_000, message: running.output }).not.toBe(before.last_signal_at)
    expect((await job()).signals[0]).toMatchObject({ kind: 'fail', exit_code: 3 })
  })
})

const unit = `[Unit]
Description=Backup
OnFailure=report-failure@%n.service

[Service]
Type=oneshot
ExecStart=/bin/sh -c 'exit 3'
ExecStartPost=/usr/bin/curl -fsS -m 10 --retry 5 -o /dev/null ADDRESS
`
const failed = `[Unit]
Description=Report that %i failed

[Service]
Type=oneshot
ExecStart=/usr/bin/curl -fsS -m 10 --retry 5 -o /dev/null "ADDRESS/fail?msg=%i"
`

// systemd itself can run in few of the places where tests do: the units are judged, and their command is run.
describeServer(systemdAnalyze, (program) => {
  const { address, job } = jobOf('systemd')
  it('accepts a unit with OnFailure=, whose command reports the failure', async () => {
    const written = failed.replaceAll('ADDRESS', address())
    const units = temporaryFolder({
      'backup.service': unit.replaceAll('ADDRESS', address()),
      'report-failure@.service': written,
    })
    using _ = units
    const judged = await run(program, ['verify', '--man=no', units.path('backup.service')], {
      SYSTEMD_UNIT_PATH: `${units.root}:`,
    })
    expect(judged.code).toBe(0)
    const [, command = ''] = /^ExecStart=(.*)$/m.exec(written) ?? []
    expect((await run('sh', ['-c', command.replaceAll('%i', 'backup.service')])).code).toBe(0)
    expect((await job()).signals[0]).toMatchObject({
      kind: 'fail',
      message: 'the job reported a failure: backup.service',
    })
  })
})
