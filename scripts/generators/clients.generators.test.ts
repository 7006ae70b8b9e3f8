// Clients that the generators of others make from the document that the service serves: they compile, no operation is lost,
// and they create, patch and delete a monitor. `npm run tool -- generators` runs this; `npm test` does not, since it fetches
// the generators.
import { cpSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, type RunningService } from '@pulseward/testing/process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchTool, type Place, runTool } from './tool.ts'

const isWanted = process.env['PULSEWARD_GENERATORS'] === '1'
const notWanted = 'generators of clients are fetched and tried by `npm run tool -- generators`'
const here = import.meta.dirname
const compiler = join(here, '../../node_modules/.bin/tsc')

let service: RunningService
let folder: TemporaryFolder
let operationIds: string[] = []
let environment: NodeJS.ProcessEnv = {}

beforeAll(async () => {
  if (!isWanted) return
  folder = temporaryFolder()
  const data = folder.path('data')
  service = await RunningCommand.serve(['--edition', 'next', '--data', data, '--log-level', 'error'])
  const text = await (await fetch(`${service.url}/api/openapi.json`)).text()
  folder.write('openapi.json', text)
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { operationId: string }>> }
  operationIds = Object.values(paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )
  const token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
  environment = { PULSEWARD_URL: service.url, PULSEWARD_TOKEN: token }
})

afterAll(async () => {
  if (!isWanted) return
  await service[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** A folder of its own, with the document and the program that uses the client. */
function placeOf(name: string): Place & { readonly folder: string } {
  folder.write(join(name, 'openapi.json'), readFileSync(folder.path('openapi.json'), 'utf8'))
  const place = folder.path(name)
  for (const file of globSync('*', { cwd: join(here, name) }))
    cpSync(join(here, name, file), join(place, file.replace(/\.txt$/, '')))
  return { folder: place, environment }
}

/** Letters and digits alone, as every generator spells the names in its own way. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

function expectAll(found: readonly string[]): void {
  const names = new Set(found.map(plain))
  expect(operationIds.length).toBeGreaterThanOrEqual(74)
  expect(operationIds.filter((id) => !names.has(plain(id)))).toEqual([])
}

const storyOfUse = ['created 1', 'patched false', 'stale 412', 'deleted completed', 'gone 404']

describe('a generated client', { timeout: 900_000 }, () => {
  it('of openapi-typescript compiles, loses nothing and works', async ({ skip }) => {
    if (!isWanted) return skip(notWanted)
    const place = placeOf('typescript')
    const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0']
    const npm = ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save'] as const
    const missing = await fetchTool('openapi-typescript', place, [...npm, ...packages])
    if (missing !== null) return skip(missing)
    const cli = 'node_modules/openapi-typescript/bin/cli.js'
    await runTool(place, process.execPath, cli, 'openapi.json', '-o', 'api.d.ts')
    const declared = readFileSync(join(place.folder, 'api.d.ts'), 'utf8')
    const operations = declared.slice(declared.indexOf('export interface operations'))
    expectAll([...operations.matchAll(/^ {4}"?([\w.]+)"?: \{$/gm)].map(([, name]) => name ?? ''))
    await runTool(place, compiler, '-p', 'tsconfig.json')
    expect((await runTool(place, process.execPath, 'use.ts')).trim().split('\n')).toEqual(storyOfUse)
  })

  it('of oapi-codegen compiles, loses nothing and works', async ({ skip }) => {
    if (!isWanted) return skip(notWanted)
    const place = placeOf('go')
    const go = { ...place, environment: { ...environment, GOBIN: place.folder, GOFLAGS: '-mod=mod' } }
    const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
    const missing = await fetchTool('oapi-codegen', go, ['go', 'install', generator])
    if (missing !== null) return skip(missing)
    const words = ['-generate', 'types,client', '-package', 'main', '-o', 'api.go', 'openapi.json']
    await runTool(go, join(place.folder, 'oapi-codegen'), ...words)
    const written = readFileSync(join(place.folder, 'api.go'), 'utf8')
    expectAll([...written.matchAll(/\(the `(\w+)` operationId\)/g)].map(([, name]) => name ?? ''))
    const unresolved = await fetchTool('what oapi-codegen leans on', go, ['go', 'mod', 'tidy'])
    if (unresolved !== null) return skip(unresolved)
    await runTool(go, 'go', 'build', '-o', 'use', '.')
    expect((await runTool(go, './use')).trim().split('\n')).toEqual(storyOfUse)
  })

  it('of openapi-python-client loads, loses nothing and works', async ({ skip }) => {
    if (!isWanted) return skip(notWanted)
    const place = placeOf('python')
    const python = join(place.folder, 'venv/bin/python')
    const missing = await fetchTool(
      'openapi-python-client',
      place,
      ['python3', '-m', 'venv', 'venv'],
      [python, '-m', 'pip', 'install', '--quiet', 'openapi-python-client==0.29.1', 'ruff'],
    )
    if (missing !== null) return skip(missing)
    const generator = join(place.folder, 'venv/bin/openapi-python-client')
    const path = `${join(place.folder, 'venv/bin')}:${process.env['PATH']}`
    const words = ['generate', '--path', 'openapi.json', '--output-path', 'pulseward_api', '--meta', 'none']
    await runTool({ ...place, environment: { ...environment, PATH: path } }, generator, ...words)
    const modules = globSync('pulseward_api/api/*/*.py', { cwd: place.folder })
    expectAll(modules.map((file) => file.split('/').at(-1)?.replace(/\.py$/, '') ?? ''))
    await runTool(place, python, '-m', 'compileall', '-q', 'pulseward_api')
    expect((await runTool(place, python, 'use.py')).trim().split('\n')).toEqual(storyOfUse)
  })
})
