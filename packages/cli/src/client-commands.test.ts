// The client commands as a person at a terminal uses them: the real program against a real service.
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Operation, schemaIn, v1Operations } from '@pulseward/contract'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, runCommand, type ServiceInProcess, serveInProcess } from '@pulseward/testing/process'
import { certificates } from '@pulseward/testing/targets'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from './client/command.fixture.ts'

const fleet =
  'monitors: [ { name: Nobody listens, check: { type: tcp, config: { host: 127.0.0.1, port: 1 } } } ]\n'
let folder: TemporaryFolder
let candidate: ServiceInProcess
let main: ServiceInProcess
beforeAll(async () => {
  folder = temporaryFolder({ 'fleet.yaml': fleet, 'authority.pem': certificates.authority })
  const words = ['--config', folder.path('fleet.yaml'), '--store', 'memory']
  ;[candidate, main] = await Promise.all([
    serveInProcess(words),
    serveInProcess([...words, '--edition', 'main']),
  ])
})
afterAll(async () => {
  await Promise.all([candidate[Symbol.asyncDispose](), main[Symbol.asyncDispose]()])
  folder[Symbol.dispose]()
})

describe('against a real service', () => {
  it.each([
    ['overview', 'GetOverview'],
    ['monitors', 'ListMonitors'],
    ['incidents', 'ListIncidents'],
    ['systems', 'GetSystems'],
    ['queues', 'GetQueues'],
    ['pools', 'GetPools'],
    ['config', 'GetConfig'],
    ['state', 'GetState'],
    ['history', 'GetHistory'],
    ['slo', 'GetSLO'],
  ] as const)('get %s prints JSON that fits the schema, and a table', async (subject, name) => {
    const json = await runInProcess(['get', subject, '-o', 'json', '--server', candidate.url])
    expect([json.code, json.stderr]).toEqual([0, ''])
    const operation: Operation = v1Operations[name]
    const isValid = new Ajv2020({ strict: false, logger: false }).compile(
      schemaIn(operation.answers[200]!, 'candidate')!,
    )
    expect(isValid(JSON.parse(json.stdout)), JSON.stringify(isValid.errors)).toBe(true)
    expect((await runInProcess(['get', subject, '--server', candidate.url], { columns: 60 })).code).toBe(0)
  })

  it('v2 and what an edition does not keep are not offered', async () => {
    for (const [service, subject] of [
      [candidate, 'endpoints'],
      [main, 'actions'],
      [main, 'history'],
    ] as const) {
      const { code, stderr } = await runInProcess(['get', subject, '--server', service.url])
      expect([code, stderr]).toEqual([
        3,
        expect.stringMatching(/^pulseward: http:\S+ does not offer this: .*\.\n$/),
      ])
    }
  })
})

describe('the real program', () => {
  it('prints a table and ends with 0', async () => {
    const { code, stdout, stderr } = await runCommand(['get', 'monitors'], {
      environment: { PULSEWARD_SERVER: candidate.url },
    })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(
      /^ID +STATUS +NAME[^\n]*\nNobody listens +\w+ +Nobody listens .* tcp .* 127\.0\.0\.1:1\n/,
    )
  })

  it('shows times in the zone of TZ', async () => {
    const { stdout } = await runCommand(['get', 'overview'], {
      environment: { PULSEWARD_SERVER: candidate.url, TZ: 'Asia/Tokyo' },
    })
    expect(stdout.trimEnd().split(' ').at(-1)).toBe('+09:00')
  })

  it('watches until Ctrl-C, which ends it with 0', { tags: 'long' }, async () => {
    await using watching = new RunningCommand(['get', 'overview', '--watch', '--server', candidate.url])
    await watching.until('stdout', /^Monitors/m)
    watching.signal('SIGINT')
    expect(await watching.ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  it('trusts the authorities of --ca-file and no others', async () => {
    const { certificate: cert, key } = certificates.good
    const secure = createServer({ cert, key }, (_, response) => {
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'X-Request-ID': 'a' })
        .end('{"status":"ok"}')
    }).listen(0, '127.0.0.1')
    await once(secure, 'listening')
    const server = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`
    try {
      const [trusting, careful] = await Promise.all([
        // What it trusts counts for its whole process.
        runCommand(['health', '--server', server, '--ca-file', folder.path('authority.pem')]),
        runInProcess(['health', '--server', server]),
      ])
      expect(trusting).toMatchObject({ code: 0, stdout: 'Status  ok\n', stderr: '' })
      expect(careful).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(
          /could not be reached: the certificate is not signed by a trusted authority \(.+\); --ca-file names the authority to trust\.\n$/,
        ),
      })
    } finally {
      secure.close()
      secure.closeAllConnections()
    }
  })

  it('ends in silence when its reader has seen enough', { tags: 'long' }, async () => {
    const shell = ['sh', '-c', '"$@" | head -n 1', 'sh']
    const words = ['get', 'overview', '--watch', '--watch-interval', '10ms', '--server', candidate.url]
    expect(await runCommand(words, { through: shell })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Monitors +1\n$/),
      stderr: '',
    })
  })
})
