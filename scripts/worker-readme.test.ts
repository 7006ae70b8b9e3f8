// What the README of @pulseward/worker says, done to the letter: in an empty project, with the packages as they are packed.
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder, until } from '@pulseward/testing'
import { ServicePeer } from '@pulseward/testing/worker-peer'
import { expect, it } from 'vitest'
import { packLibraries } from './packages/pack-packages.ts'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'packages/worker/README.md'), 'utf8')

function block(language: string): string {
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(readme)?.[1] ?? ''
}

it('is a worker in ten lines that installs, type-checks and runs', {
  tags: 'long',
}, async () => {
  const program = block('ts')
  expect(program.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(10)
  const document = JSON.parse(block('json'))

  using folder = temporaryFolder({ 'package.json': '{ "type": "module" }', 'worker.ts': program })
  const options = { cwd: folder.root, encoding: 'utf8' } as const
  const words = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', [...words, ...(await packLibraries(folder.root, ['client', 'worker']))], options)
  // Without skipLibCheck: the declarations of the packages have to stand on their own.
  const flags = '--ignoreConfig --noEmit --strict --target esnext --module nodenext --types node --typeRoots'
  const types = join(root, 'node_modules/@types')
  const checked = () =>
    execFileSync(join(root, 'node_modules/.bin/tsc'), [...flags.split(' '), types, 'worker.ts'], options)
  expect(checked()).toBe('')

  await using peer = await ServicePeer.start()
  const page = createServer((request, response) => response.writeHead(request.url === '/' ? 200 : 500).end())
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
  const { id } = document.metadata
  const job = { jobTypeID: id, version: document.spec.version, kind: document.spec.kind }
  const environment = { ...process.env, PULSEWARD_URL: peer.url, PULSEWARD_TOKEN: peer.token }
  const worker = spawn(process.execPath, ['worker.ts'], {
    cwd: folder.root,
    env: environment,
    stdio: 'ignore',
  })
  try {
    const up = peer.submit({ ...job, parameters: { url: `${address}/` } })
    const down = peer.submit({ ...job, parameters: { url: `${address}/broken` } })
    await until(() => peer.outcome(up) !== null && peer.outcome(down) !== null)
    expect(peer.outcome(up)).toMatchObject({ status: 'success', data: { latencyMs: expect.any(Number) } })
    expect(peer.outcome(down)).toMatchObject({ status: 'failure', diagnostic: 'The page answered 500.' })
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.kill('SIGTERM')
    expect(await ended).toBe(0)
  } finally {
    worker.kill('SIGKILL')
    page.close()
  }
})
