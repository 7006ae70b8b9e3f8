// Sources with real files, pipes and a real temporary folder.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@pulseward/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Sources } from './sources.ts'

const never = new AbortController().signal
const noStdin = () => {
  throw new Error('stdin is not asked for')
}

async function textOf(source: { bytes(): AsyncIterable<Uint8Array> } | undefined): Promise<string> {
  let text = ''
  for await (const chunk of source?.bytes() ?? []) text += Buffer.from(chunk).toString('latin1')
  return text
}

async function* piped(...chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

describe('sources', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('are read as often as they are needed, in pieces', async () => {
    const long = `${'x'.repeat(300_000)}\n`
    using folder = temporaryFolder({ 'a.yaml': long })
    using sources = await Sources.open([folder.path('a.yaml')], noStdin, never)
    for (let times = 0; times < 2; times++) expect(await textOf(sources.all[0])).toBe(long)
  })

  it('keep stdin where only this user can read it, and nowhere once it is not looked for by name', async () => {
    using folder = temporaryFolder({ 'tmp/.keep': '' })
    vi.stubEnv('TMPDIR', folder.path('tmp'))
    const spools = () => readdirSync(folder.path('tmp')).filter((name) => name !== '.keep')
    {
      using sources = await Sources.open(['-'], () => piped('{"id":1}\n', '{"id":2}\n'), never)
      const [source] = sources.all
      expect(source).toMatchObject({ name: '-', isLines: true, isFleet: true })
      expect(statSync(join(folder.path('tmp'), spools()[0] ?? '')).mode & 0o777).toBe(0o700)
      expect(statSync(source?.path ?? '').mode & 0o777).toBe(0o600)
      sources.forgetNames()
      expect(spools()).toEqual([])
      for (let times = 0; times < 2; times++) expect(await textOf(source)).toBe('{"id":1}\n{"id":2}\n')
    }
    await expect(Sources.open(['-', 'missing.yaml'], () => piped('x'), never)).rejects.toThrow()
    expect(spools()).toEqual([])
  })

  it('take a pipe that can be read once only', async () => {
    using folder = temporaryFolder()
    const pipe = folder.path('pipe')
    spawnSync('mkfifo', [pipe])
    spawn('sh', ['-c', 'echo "kind: Monitor" > "$0"', pipe], { stdio: 'ignore' })
    using sources = await Sources.open([pipe], noStdin, never)
    for (let times = 0; times < 2; times++) expect(await textOf(sources.all[0])).toBe('kind: Monitor\n')
  })

  it('stop to wait for a stdin that never ends when a person does', async () => {
    const person = new AbortController()
    async function* endless() {
      yield Buffer.from('a')
      person.abort()
      await new Promise(() => {})
    }
    await expect(Sources.open(['-'], endless, person.signal)).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    )
  })
})
