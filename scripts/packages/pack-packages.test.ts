import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { temporaryFolder } from '@pulseward/testing'
import { ReferencePeer } from '@pulseward/testing/reference-peer'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { packLibraries } from './pack-packages.ts'

it('makes a library that installs and works in an empty project', {
  tags: 'long',
}, async () => {
  using folder = temporaryFolder({ 'package.json': '{ "type": "module" }' })
  const archives = await packLibraries(folder.root, ['client'])
  const options = { cwd: folder.root, encoding: 'utf8' } as const
  execFileSync(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...archives],
    options,
  )
  await using peer = await ReferencePeer.start()
  folder.write(
    'use.js',
    `import { createClient } from '@pulseward/client'
     const client = createClient({ baseUrl: ${JSON.stringify(peer.url)}, allowInsecureHttp: true })
     console.log((await client.v1.getOverview()).data.total >= 0)`,
  )
  // Not synchronously: the peer answers from this process.
  const { stdout } = await promisify(execFile)(process.execPath, ['use.js'], options)
  expect(stdout.trim()).toBe('true')
})

it('is at most 25 KB for a browser, compressed', async () => {
  using folder = temporaryFolder()
  const entry = join(import.meta.dirname, '../../packages/client/src/index.ts')
  await build({
    configFile: false,
    logLevel: 'silent',
    build: { outDir: folder.root, minify: true, lib: { entry, formats: ['es'], fileName: 'client' } },
  })
  const bytes = gzipSync(readFileSync(folder.path('client.js')), { level: 9 }).length
  expect(bytes).toBeLessThanOrEqual(25_000)
})
