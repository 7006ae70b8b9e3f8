// A data directory with resources that v2 manages: only the edition next goes on with it. The others would take its monitors
// for removed, close their incidents and check nothing.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPrincipal } from '@pulseward/server/internal/access/edit-principals.ts'
import { dataDirectory, makeDirectory } from '@pulseward/server/internal/store/data-directory.ts'
import { verifyStore } from '@pulseward/server/internal/store/sqlite/maintenance/verify.ts'
import { eventually, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, runCommand, serveInProcess } from '@pulseward/testing/process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runInProcess } from './client/command.fixture.ts'

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

const words = (edition: string) => ['--edition', edition, '--data', data]
const withFile = (edition: string) => [...words(edition), '--config', folder.path('fleet.json')]

async function ask(url: string, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${token}`, ...init.headers }
  const response = await fetch(`${url}/api/v2/${path}`, { ...init, headers })
  return { status: response.status, body: await response.json() }
}

/** Leaves an open incident of a monitor that v2 manages; answers with its id. */
async function leaveAnIncident(): Promise<string> {
  await using service = await serveInProcess(words('next'))
  return await openAnIncident(service.url)
}

async function openAnIncident(url: string): Promise<string> {
  const headers = { 'if-none-match': '*', 'content-type': 'application/json' }
  const created = await ask(url, 'monitors', {
    method: 'POST',
    headers,
    body: JSON.stringify(managed),
  })
  expect(created.status).toBe(201)
  return await eventually(() => openIncident(url))
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

const refusal = () =>
  `${data}: The store has resources that are managed through v2, which only the edition next checks; start with --edition next.`

describe('data that v2 manages', () => {
  it('is refused by the candidate with nothing changed and nothing added, and next goes on with it', {
    tags: 'long',
  }, async () => {
    const incident = await leaveAnIncident()
    const before = digests()
    expect(await runCommand(['serve', '--listen', '127.0.0.1:0', ...withFile('candidate')])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `pulseward: ${refusal()}\n`,
    })
    await expect(serveInProcess([...words('candidate'), '--allow-empty'])).rejects.toThrow(refusal())
    expect(digests()).toEqual(before)
    await using service = await serveInProcess(words('next'))
    expect(await openIncident(service.url)).toBe(incident)
  })

  it('loses nothing to a candidate that comes after a kill', async () => {
    await using killed = await RunningCommand.serve([...words('next'), '--log-level', 'error'])
    const incident = await openAnIncident(killed.url)
    killed.signal('SIGKILL')
    await killed.ended
    const before = verifyStore(dataDirectory(data).database)
    await expect(serveInProcess(withFile('candidate'))).rejects.toThrow(refusal())
    expect(verifyStore(dataDirectory(data).database)).toEqual(before)
    await using service = await serveInProcess(words('next'))
    expect(await openIncident(service.url)).toBe(incident)
  })

  it('is left alone by main, which keeps everything in memory', async () => {
    await leaveAnIncident()
    const before = digests()
    const service = await serveInProcess(withFile('main'))
    await service[Symbol.asyncDispose]()
    expect(digests()).toEqual(before)
  })

  it('is verified and backed up as before', async () => {
    await leaveAnIncident()
    expect(await runInProcess(['verify', '--data', data])).toMatchObject({ code: 0, stderr: '' })
    expect(await runInProcess(['backup', folder.path('copy'), '--data', data])).toMatchObject({
      code: 0,
      stderr: '',
    })
  })
})
