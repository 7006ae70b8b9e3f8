// The edition next as a process: who may use it decides whether it starts, and losing that list while it runs changes
// nothing.
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { createPrincipal } from '@pulseward/server/internal/access/edit-principals.ts'
import { dataDirectory, makeDirectory } from '@pulseward/server/internal/store/data-directory.ts'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, runCommand } from '@pulseward/testing/process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

const filesIn = () => dataDirectory(folder.path('data'))
const words = (...more: readonly string[]) => [
  'serve',
  '--listen',
  '127.0.0.1:0',
  '--edition',
  'next',
  '--data',
  folder.path('data'),
  ...more,
]

function makeOperator(): string {
  makeDirectory(folder.path('data'))
  return createPrincipal(filesIn(), { name: 'ann', role: 'operator', expiresMs: null, jobTypes: [] }).token
}

async function serveNext(...more: readonly string[]) {
  const command = new RunningCommand(words(...more))
  const [, port = ''] = await command.until('stdout', /^Pulseward +http:\S+:(\d+)\n[\s\S]*^Stop /m)
  return Object.assign(command, { url: `http://127.0.0.1:${port}` })
}

async function statusOf(url: string, token: string): Promise<number> {
  const { status } = await fetch(`${url}/api/v2/monitors`, { headers: { authorization: `Bearer ${token}` } })
  return status
}

describe('a start of the edition next', () => {
  it('ends with 2 when the principals file is broken, and leaves the file as it is', async () => {
    makeOperator()
    writeFileSync(filesIn().principals, '{ "version": 1, "principals": [{ "name": "ann" }] }')
    const { code, stdout, stderr } = await runCommand(words())
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^pulseward: The principals file \S+ is not valid: .*\.\n$/)
    expect(existsSync(filesIn().operatorToken)).toBe(false)
  })

  it.runIf(process.platform !== 'win32')('ends with 2 when other users can read the file', async () => {
    makeOperator()
    chmodSync(filesIn().principals, 0o644)
    const { code, stderr } = await runCommand(words())
    expect([code, stderr]).toEqual([
      2,
      `pulseward: The principals file ${filesIn().principals} is open to other users (mode 644); run chmod 600 on it.\n`,
    ])
  })

  it('ends with 2 when the token of v1 is that of a principal, and does not repeat it', async () => {
    const token = makeOperator()
    const { code, stdout, stderr } = await runCommand(words(), { environment: { PULSEWARD_TOKEN: token } })
    expect([code, stderr]).toEqual([
      2,
      'pulseward: The token of v1 is also the token of a principal; give v1 another one.\n',
    ])
    expect(stdout + stderr).not.toContain(token)
  })

  it('listens beyond this machine without a token of v1, if there is a principal', async () => {
    const token = makeOperator()
    await using service = await serveNext('--listen', '0.0.0.0:0')
    const read = (headers: Record<string, string>) => fetch(`${service.url}/api/v1/config`, { headers })
    expect((await read({})).status).toBe(401)
    const config = await read({ authorization: `Bearer ${token}` })
    expect(await config.json()).toMatchObject({ authentication: true })
  })

  it('does not listen beyond this machine when nobody could use it', async () => {
    makeDirectory(folder.path('data'))
    writeFileSync(filesIn().principals, '{ "version": 1, "principals": [] }', { mode: 0o600 })
    const { code, stderr } = await runCommand(words('--listen', '0.0.0.0:0'))
    expect([code, stderr]).toEqual([
      2,
      'pulseward: Listening on 0.0.0.0 reaches beyond this machine and needs a principal or a token: make one with pulseward token create, or pass --token-file.\n',
    ])
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
    const [line] = await service.until('stderr', /^.*The principals file .*$/m)
    expect(JSON.parse(line)).toMatchObject({ level: 'error' })
    expect(line).toMatch(words)
    expect(line.match(/stay in force/g)).toHaveLength(1)
    expect(await statusOf(service.url, token)).toBe(200)
    expect(existsSync(filesIn().operatorToken)).toBe(false)
    service.signal('SIGTERM')
    const { stderr } = await service.ended
    expect(stderr.match(/The principals file/g)).toHaveLength(1)
    expect(stderr).not.toContain('the operator \\"first\\" was made')
  })

  it('a removed principals file is not a first start at the next start either', async () => {
    await using service = await serveNext()
    const { operatorToken, principals } = filesIn()
    expect(existsSync(operatorToken)).toBe(true)
    rmSync(principals)
    service.signal('SIGTERM')
    await service.ended
    const { code, stderr } = await runCommand(words())
    expect(code).toBe(2)
    expect(stderr).toBe(
      `pulseward: The principals file ${principals} is missing, although ${operatorToken} shows that there was one. Put the principals file back, or remove ${operatorToken} to start over without principals.\n`,
    )
    expect(existsSync(principals)).toBe(false)
  })
})
