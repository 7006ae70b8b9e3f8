import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)
const folder = import.meta.dirname
const sources = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts', '**/*.fixture.ts'] })

describe('the client library', () => {
  it.each(sources)('%s needs neither a package nor anything of Node', (file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const imported = [...text.matchAll(/(?:\bfrom\s|import\()\s*'([^']+)'/g)].map(([, name]) => name!)
    expect(imported.filter((name) => !name.startsWith('.'))).toEqual([])
  })

  it('has no dependencies', () => {
    const manifest = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8'))
    expect(manifest).not.toHaveProperty('dependencies')
  })

  it('runs where nothing of Node is in sight', async () => {
    // The platform's own fetch leans on some of these: it is loaded before they go, and answers are made up.
    const script = `
      const { stdout } = process
      await new Response('').text()
      for (const name of ['process', 'Buffer', 'global', 'setImmediate', 'clearImmediate']) delete globalThis[name]
      const { createClient } = await import(${JSON.stringify(join(folder, 'index.ts'))})
      const answer = (type, text) =>
        new Response(ReadableStream.from([new TextEncoder().encode(text)]), { headers: { 'Content-Type': type } })
      const fetch = async (url) => url.endsWith('/metrics')
        ? answer('text/plain', 'up 1')
        : answer('application/json', '{"id":"op-1","state":"completed"}')
      const client = createClient({ baseUrl: 'https://service.test', fetch })
      const { data } = await client.deleteMonitor({ id: 'edge', ifMatch: '42' })
      const metrics = await client.streamMetrics(new WritableStream())
      stdout.write(JSON.stringify([data.state, metrics.data.byteCount]))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script])
    expect(JSON.parse(stdout)).toEqual(['completed', 4])
  })

  it('compiles against the types of a browser alone', async () => {
    const compiler = join(folder, '../../../node_modules/.bin/tsc')
    const flags =
      '--noEmit --strict --target esnext --module esnext --moduleResolution bundler --skipLibCheck'
    const browser = ['--lib', 'esnext,dom,dom.iterable,dom.asynciterable', '--types', '']
    const more = ['--allowImportingTsExtensions', '--ignoreConfig', join(folder, 'index.ts')]
    const { stdout } = await run(compiler, [...flags.split(' '), ...browser, ...more]).catch((error) => error)
    expect(stdout).toBe('')
  })
})
