// A start of the edition next: who may use it decides whether it starts, and losing that list while it runs changes nothing.
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { UsageError } from '@pulseward/server'
import { createPrincipal, revokePrincipal } from '@pulseward/server/internal/access/edit-principals.ts'
import { dataDirectory, makeDirectory } from '@pulseward/server/internal/store/data-directory.ts'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { runCommand, serveInProcess } from '@pulseward/testing/process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

const filesIn = () => dataDirectory(folder.path('data'))
const words = (...more: readonly string[]) => ['--edition', 'next', '--data', folder.path('data'), ...more]
const serveNext = (...more: readonly string[]) => serveInProcess(words(...more))

function makeOperator(): string {
  makeDirectory(folder.path('data'))
  return createPrincipal(filesIn(), { name: 'ann', role: 'operator', expiresMs: null, jobTypes: [] }).token
}

async function statusOf(url: string, token: string): Promise<number> {
  const { status } = await fetch(`${url}/api/v2/monitors`, { headers: { authorization: `Bearer ${token}` } })
  return status
}

describe('a start of the edition next', () => {
  it('ends with 2 when the principals file is broken, and leaves the file as it is', async () => {
    makeOperator()
    writeFileSync(filesIn().principals, '{ "version": 1, "principals": [{ "name": "ann" }] }')
    const { code, stdout, stderr } = await runCommand(['serve', '--listen', '127.0.0.1:0', ...words()])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^pulseward: The principals file \S+ is not valid: .*\.\n$/)
    expect(existsSync(filesIn().operatorToken)).toBe(false)
  })

  it.runIf(process.platform !== 'win32')(
    'fails when other users can read the file',
    { tags: 'long' },
    async () => {
      makeOperator()
      chmodSync(filesIn().principals, 0o644)
      await expect(serveNext()).rejects.toThrow(
        `The principals file ${filesIn().principals} is open to other users (mode 644); run chmod 600 on it.`,
      )
    },
  )

  it('fails when the token of v1 is that of a principal, and does not repeat it', async () => {
    const token = makeOperator()
    await expect(serveInProcess(words(), { environment: { PULSEWARD_TOKEN: token } })).rejects.toEqual(
      new UsageError('The token of v1 is also the token of a principal; give v1 another one.'),
    )
  })

  it('listens beyond this machine without a token of v1, if there is a principal', async () => {
    const token = makeOperator()
    await using service = await serveNext('--listen', '0.0.0.0:0')
    const { port } = new URL(service.url)
    const read = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/api/v1/config`, { headers })
    expect((await read({})).status).toBe(401)
    const config = await read({ authorization: `Bearer ${token}` })
    expect(await config.json()).toMatchObject({ authentication: true })
  })

  it('does not listen beyond this machine when nobody could use it', async () => {
    makeDirectory(folder.path('data'))
    writeFileSync(filesIn().principals, '{ "version": 1, "principals": [] }', { mode: 0o600 })
    await expect(serveNext('--listen', '0.0.0.0:0')).rejects.toEqual(
      new UsageError(
        'Listening on 0.0.0.0 reaches beyond this machine and needs a principal or a token: make one with pulseward token create, or pass --token-file.',
      ),
    )
  })
})

describe('the link of a start', () => {
  const path = '/#sign-in='
  const linkOf = async (more: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) => {
    await using service = await serveInProcess(words(...more), { environment })
    const { port } = new URL(service.url)
    const link = service.signInUrl()
    return { port, address: link?.slice(0, link.indexOf(path)) ?? null }
  }

  it('leads to the page on this machine, also when the service listens everywhere', async () => {
    const { port, address } = await linkOf(['--listen', '0.0.0.0:0'])
    expect(address).toBe(`http://127.0.0.1:${port}`)
  })

  it('leads to the public URL if that is encrypted, and there is none if it is not', {
    tags: 'long',
  }, async () => {
    const at = (url: string) => linkOf([], { PULSEWARD_PUBLIC_URL: url })
    expect((await at('https://pulse.example')).address).toBe('https://pulse.example')
    expect((await at('http://pulse.example')).address).toBeNull()
  })

  it('needs the token of the first operator, in its file and in force', async () => {
    expect((await linkOf()).address).not.toBeNull()
    const token = readFileSync(filesIn().operatorToken)
    rmSync(filesIn().operatorToken)
    expect((await linkOf()).address).toBeNull()
    revokePrincipal(filesIn(), 'first')
    writeFileSync(filesIn().operatorToken, token, { mode: 0o600 })
    expect((await linkOf()).address).toBeNull()
  })

  it('is in no line of the log', async () => {
    await using service = await serveNext()
    const link = service.signInUrl() ?? ''
    expect(link).toContain(path)
    expect(service.logged.join()).not.toContain(link.slice(link.indexOf('=') + 1))
  })
})

describe('while it runs', () => {
  it('a token works as soon as it is made, twenty times in a row', async () => {
    makeOperator()
    await using service = await serveNext()
    const statuses: number[] = []
    for (let count = 0; count < 20; count++) {
      const made = { name: `reader-${count}`, role: 'reader', expiresMs: null, jobTypes: [] } as const
      statuses.push(await statusOf(service.url, createPrincipal(filesIn(), made).token))
    }
    expect(statuses).toEqual(Array(20).fill(200))
  })

  it.each([
    ['broken', () => writeFileSync(filesIn().principals, '{'), /is not valid: .*/],
    ['open to other users', () => chmodSync(filesIn().principals, 0o644), /is open to other users .*/],
    ['removed', () => rmSync(filesIn().principals), /does not exist\. .*/],
  ])('a principals file that is %s is told once, and the last good one stays', async (_, spoil, words) => {
    const token = makeOperator()
    await using service = await serveNext()
    expect(await statusOf(service.url, token)).toBe(200)
    spoil()
    const told = () => service.logged.filter((line) => line.includes('The principals file'))
    await expect.poll(told).toEqual([expect.stringMatching(words)])
    expect(told()[0]).toMatch(/^error: .*stay in force/)
    expect(await statusOf(service.url, token)).toBe(200)
    expect(existsSync(filesIn().operatorToken)).toBe(false)
    await service[Symbol.asyncDispose]()
    expect(told()).toHaveLength(1)
    expect(service.logged.join()).not.toContain('the operator "first" was made')
  })

  it('a removed principals file is not a first start at the next start either', {
    tags: 'long',
  }, async () => {
    await using service = await serveNext()
    const { operatorToken, principals } = filesIn()
    expect(existsSync(operatorToken)).toBe(true)
    rmSync(principals)
    await service[Symbol.asyncDispose]()
    await expect(serveNext()).rejects.toThrow(
      `The principals file ${principals} is missing, although ${operatorToken} shows that there was one. Put the principals file back, or remove ${operatorToken} to start over without principals.`,
    )
    expect(existsSync(principals)).toBe(false)
  })
})
