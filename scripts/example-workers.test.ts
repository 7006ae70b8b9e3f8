// The workers of examples/workers: copied as they are, with the libraries as they are packed, and run.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeUnless, temporaryFolder, until } from '@pulseward/testing'
import { ServicePeer } from '@pulseward/testing/worker-peer'
import { loadAll } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packLibraries } from './packages/pack-packages.ts'

const root = join(import.meta.dirname, '..')
let project = ''

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'pulseward-examples-'))
  cpSync(join(root, 'examples/workers'), project, { recursive: true })
  const words = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', [...words, ...(await packLibraries(project, ['client', 'worker']))], { cwd: project })
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

interface Way {
  readonly environment?: NodeJS.ProcessEnv
  /** A program and its first words that run the worker in a place of its own. */
  readonly through?: readonly string[]
}

/** Runs a worker until the outcome of its job is there. */
async function outcomeOf(file: string, peer: ServicePeer, executionID: string, way: Way = {}) {
  using folder = temporaryFolder()
  const env = {
    ...process.env,
    PULSEWARD_URL: peer.url,
    PULSEWARD_TOKEN: peer.token,
    WORKER_JOURNAL: folder.path('worker.journal'),
    ...way.environment,
  }
  const [program = '', ...words] = [...(way.through ?? []), process.execPath, file]
  const worker = spawn(program, words, { cwd: project, env, stdio: 'ignore' })
  const ended = once(worker, 'exit')
  try {
    await until(() => peer.outcome(executionID) !== null)
    return peer.outcome(executionID)
  } finally {
    worker.kill('SIGKILL')
    await ended
  }
}

describe('the workers among the examples', () => {
  it('type-check, and have the job types that job-types.yaml says', { tags: 'long' }, () => {
    const flags =
      '--ignoreConfig --noEmit --strict --target esnext --module nodenext --allowImportingTsExtensions --types node'
    const types = ['--typeRoots', join(root, 'node_modules/@types')]
    const files = ['reach.ts', 'restart-unit.ts', 'syslog.ts']
    const tsc = join(root, 'node_modules/.bin/tsc')
    const checked = execFileSync(tsc, [...flags.split(' '), ...types, ...files], {
      cwd: project,
      encoding: 'utf8',
    })
    expect(checked).toBe('')
    const documents = loadAll(readFileSync(join(project, 'job-types.yaml'), 'utf8')) as {
      metadata: { id: string }
      spec: { version: string; kind: string; rejectionCodes?: string[] }
    }[]
    for (const { metadata, spec } of documents) {
      const source = readFileSync(join(project, `${metadata.id}.ts`), 'utf8')
      expect(source).toContain(`'${metadata.id}@${spec.version}'`)
      expect(source).toContain(`= ${spec.kind}(`)
      for (const code of spec.rejectionCodes ?? []) expect(source).toContain(`rejected('${code}'`)
    }
    expect(documents).toHaveLength(files.length)
  })

  it('recover: restart what they may, and reject what they may not', {
    tags: 'long',
  }, async () => {
    await using peer = await ServicePeer.start()
    using folder = temporaryFolder()
    const restarted = folder.path('restarted')
    const command = folder.path('restart')
    writeFileSync(command, `#!/bin/sh\necho "$2" >> ${restarted}\n[ "$2" = nginx ]\n`)
    chmodSync(command, 0o755)
    const environment = { RESTART_UNITS: 'nginx,broken', RESTART_COMMAND: command }
    const job = { jobTypeID: 'restart-unit', kind: 'recovery' } as const
    const submit = (unit: string) => peer.submit({ ...job, parameters: { unit } })
    const [allowed, other, broken] = [submit('nginx'), submit('sshd'), submit('broken')]
    expect(await outcomeOf('restart-unit.ts', peer, broken, { environment })).toMatchObject({
      status: 'unknown',
    })
    expect(peer.outcome(allowed)).toMatchObject({ status: 'completed' })
    expect(peer.outcome(other)).toMatchObject({ status: 'rejected', rejectionCode: 'unit_not_allowed' })
    expect(readFileSync(restarted, 'utf8')).toBe('nginx\nbroken\n')
    const missing = submit('nginx')
    const without = { ...environment, RESTART_COMMAND: folder.path('missing') }
    expect(await outcomeOf('restart-unit.ts', peer, missing, { environment: without })).toMatchObject({
      status: 'rejected',
      rejectionCode: 'command_missing',
    })
  })

  it('notify: send a line that names the monitor', { tags: 'long' }, async () => {
    await using peer = await ServicePeer.start()
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    const line = once(socket, 'message')
    const { port } = socket.address()
    const notification = { summary: 'Shop\nis down: HTTP 503.' }
    const parameters = { host: '127.0.0.1', port, notification }
    const executionID = peer.submit({ jobTypeID: 'syslog', kind: 'notification', parameters })
    expect(await outcomeOf('syslog.ts', peer, executionID)).toMatchObject({ status: 'accepted' })
    expect(String((await line)[0])).toMatch(/^<25>1 \S+Z \S+ pulseward - - - Shop is down: HTTP 503\.$/)
    socket.close()
  })
})

const whyNoNamespaces =
  spawnSync('ip', ['netns', 'list']).status === 0 && canMakeNamespace()
    ? null
    : 'making network namespaces needs root and iproute2'

function canMakeNamespace(): boolean {
  const name = `pw-probe-${process.pid}`
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0) return false
  const isAllowed = spawnSync('ip', [
    'link',
    'add',
    `pwp${process.pid}`,
    'type',
    'veth',
    'peer',
    'netns',
    name,
  ])
  spawnSync('ip', ['netns', 'delete', name])
  return isAllowed.status === 0
}

describeUnless(whyNoNamespaces, 'a check worker in another network namespace', () => {
  it('reaches what nothing outside can, and reports it', { tags: 'long' }, async () => {
    const name = `pw-test-${process.pid}`
    const [outside, inside] = [`pwo${process.pid}`, `pwi${process.pid}`]
    const subnet = `10.99.${process.pid % 256}`
    const ip = (words: string) => execFileSync('ip', words.split(' '))
    ip(`netns add ${name}`)
    try {
      ip(`link add ${outside} type veth peer name ${inside} netns ${name}`)
      ip(`address add ${subnet}.1/30 dev ${outside}`)
      ip(`link set ${outside} up`)
      ip(`-n ${name} address add ${subnet}.2/30 dev ${inside}`)
      ip(`-n ${name} link set ${inside} up`)
      ip(`-n ${name} link set lo up`)
      const through = ['ip', 'netns', 'exec', name]
      const listen =
        "require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })"
      const target = spawn('ip', [...through.slice(1), process.execPath, '-e', listen], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      try {
        const [line] = await once(target.stdout, 'data')
        await using peer = await ServicePeer.start(`${subnet}.1`)
        const job = { jobTypeID: 'reach', parameters: { host: '127.0.0.1', port: Number(String(line)) } }
        const environment = { PULSEWARD_PLAIN_HTTP: 'yes' }
        expect(await outcomeOf('reach.ts', peer, peer.submit(job), { through, environment })).toMatchObject({
          status: 'success',
        })
        // The same port of the same address out here is another one.
        const outsideWorker = await outcomeOf('reach.ts', peer, peer.submit(job), { environment })
        expect(outsideWorker).toMatchObject({ status: 'failure' })
      } finally {
        target.kill('SIGKILL')
      }
    } finally {
      ip(`netns delete ${name}`)
    }
  })
})
