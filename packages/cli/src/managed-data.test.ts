// A data directory with resources that v2 manages: only the edition next goes on with it. The others would take its monitors
// for removed, close their incidents and check nothing.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPrincipal } from '@pulseward/server/internal/access/edit-principals.ts'
import { dataDirectory, makeDirectory } from '@pulseward/server/internal/store/data-directory.ts'
import { verifyStore } from '@pulseward/server/internal/store/verify.ts'
import { eventually, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, runCommand } from '@pulseward/testing/process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const check = { type: 'tcp', interval: '1s', config: { host: '127.0.0.1', port: 1 } }
const file = { version: 1, monitors: [{ id: 'of-the-file', name: 'Of the file', check }] }
const managed = {
  apiVersion: 'pulseward/v2',
  kind: 'Monitor',
  metadata: { id: 'closed', name: 'Closed' },
  spec: {
    check: {
      driver: { type: 'tcp', config: check.config },
      interval: '1s',
      timeout: '500ms',
      unhealthyThreshold: 1,
    },
  },
}

let folder: TemporaryFolder
let data: string
let token: string
beforeEach(() => {
  folder = temporaryFolder({ 'fleet.json': JSON.stringify(file) })
  data = folder.path('data')
  makeDirectory(data)
  const ann = { name: 'ann', role: 'operator', expiresMs: null, jobTypes: [] } as const
  token = createPrincipal(dataDirectory(data), ann).token
})
afterEach(() => folder[Symbol.dispose]())

const words = (edition: string) => ['--edition', edition, '--data', data, '--log-level', 'error']
const withFile = (edition: string) => [...words(edition), '--config', folder.path('fleet.json')]

async function ask(url: string, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${token}`, ...init.headers }
  const response = await fetch(`${url}/api/v2/${path}`, { ...init, headers })
  return { status: response.status, body: await response.json() }
}

/** Leaves an open incident of a monitor that v2 manages; answers with its id. */
async function leaveAnIncident(signal: NodeJS.Signals): Promise<string> {
  await using service = await RunningCommand.serve(words('next'))
  const headers = { 'if-none-match': '*', 'content-type': 'application/json' }
  const created = await ask(service.url, 'monitors', {
    method: 'POST',
    headers,
    body: JSON.stringify(managed),
  })
  expect(created.status).toBe(201)
  const id = await eventually(() => openIncident(service.url))
  service.signal(signal)
  await service.ended
  return id
}

async function openIncident(url: string): Promise<string> {
  const { body } = await ask(url, 'incidents')
  const { items } = body as { items: { id: string; state: string }[] }
  const open = items.find(({ state }) => state === 'open')
  if (open === undefined) throw new Error('no incident is open')
  return open.id
}

function digests(): [file: string, digest: string][] {
  return readdirSync(data)
    .sort()
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(data, name)))
        .digest('hex'),
    ])
}

async function expectRefusal(more: readonly string[]): Promise<void> {
  expect(await runCommand(['serve', '--listen', '127.0.0.1:0', ...more])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `pulseward: ${data}: The store has resources that are managed through v2, which only the edition next checks; start with --edition next.\n`,
  })
}

describe('data that v2 manages', () => {
  it('is refused by the candidate with nothing changed and nothing added, and next goes on with it', async () => {
    const incident = await leaveAnIncident('SIGTERM')
    const before = digests()
    await expectRefusal(withFile('candidate'))
    await expectRefusal([...words('candidate'), '--allow-empty'])
    expect(digests()).toEqual(before)
    await using service = await RunningCommand.serve(words('next'))
    expect(await openIncident(service.url)).toBe(incident)
  })

  it('loses nothing to a candidate that comes after a kill', async () => {
    const incident = await leaveAnIncident('SIGKILL')
    const before = verifyStore(dataDirectory(data).database)
    await expectRefusal(withFile('candidate'))
    expect(verifyStore(dataDirectory(data).database)).toEqual(before)
    await using service = await RunningCommand.serve(words('next'))
    expect(await openIncident(service.url)).toBe(incident)
  })

  it('is left alone by main, which keeps everything in memory', async () => {
    await leaveAnIncident('SIGTERM')
    const before = digests()
    {
      await using service = await RunningCommand.serve(withFile('main'))
      service.signal('SIGTERM')
      expect((await service.ended).code).toBe(0)
    }
    expect(digests()).toEqual(before)
  })

  it('is verified and backed up as before', async () => {
    await leaveAnIncident('SIGTERM')
    expect(await runCommand(['verify', '--data', data])).toMatchObject({ code: 0, stderr: '' })
    expect(await runCommand(['backup', folder.path('copy'), '--data', data])).toMatchObject({
      code: 0,
      stderr: '',
    })
  })
})
