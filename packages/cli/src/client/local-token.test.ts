// The token of the first operator: the service of its data directory gets it, and another program on its port does not.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, serveInProcess } from '@pulseward/testing/process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runInProcess } from './command.fixture.ts'

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

const words = () => ['--edition', 'next', '--data', folder.path('data')]
const serve = () => serveInProcess(words())

const get = (server: string, ...words: string[]) =>
  runInProcess(['get', 'endpoints', '--server', server, '--data', folder.path('data'), ...words])

/** Another program on a port; it answers as a service would, and tells what was sent to it. */
class Squatter implements AsyncDisposable {
  readonly authorizations: string[] = []
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async on(host: string, port: number): Promise<Squatter> {
    const script = `require('node:http').createServer((request, response) => {
      console.log('asked ' + (request.headers.authorization ?? 'without a token'))
      response.writeHead(401, { 'X-Request-ID': 'x', 'Content-Type': 'application/problem+json' })
      response.end(JSON.stringify({ status: 401, code: 'unauthorized', title: 'No' }))
    }).listen(${port}, '${host}', () => console.log('listening'))`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const squatter = new Squatter(child)
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => {
      if (line.startsWith('asked ')) squatter.authorizations.push(line.slice('asked '.length))
    })
    await once(lines, 'line')
    return squatter
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'close')
    this.#child.kill('SIGKILL')
    await ended
  }
}

const portOf = (url: string) => Number(new URL(url).port)

async function hasIPv6(): Promise<boolean> {
  const server = createServer()
  const listening = once(server.listen(0, '::1'), 'listening')
  const isThere = await listening.then(
    () => true,
    () => false,
  )
  server.close()
  return isThere
}

describe('the token of the first operator', () => {
  it('is found by itself in the data directory of the service that is asked', async () => {
    await using service = await serve()
    expect(await get(service.url)).toEqual({ code: 0, stdout: 'There is no endpoint.\n', stderr: '' })
    const variable = { environment: { PULSEWARD_DATA: folder.path('data'), PULSEWARD_SERVER: service.url } }
    expect((await runInProcess(['get', 'groups'], variable)).code).toBe(0)
    const elsewhere = await runInProcess([
      'get',
      'groups',
      '--server',
      service.url,
      '--data',
      folder.path('x'),
    ])
    expect(elsewhere).toEqual({
      code: 3,
      stdout: '',
      stderr: `pulseward: ${service.url} needs a token; pass --token-file or set PULSEWARD_TOKEN_FILE, or name its data directory with --data.\n`,
    })
  })

  it('does not go to a program that took the port of a killed service', async () => {
    await using service = await RunningCommand.serve(words())
    const { url } = service
    expect((await get(url)).code).toBe(0)
    service.signal('SIGKILL')
    await service.ended
    await using squatter = await Squatter.on('127.0.0.1', portOf(url))
    expect((await get(url)).code).toBe(3)
    // The service runs again, somewhere else.
    await using again = await serve()
    expect((await get(again.url)).code).toBe(0)
    expect((await get(url)).code).toBe(3)
    await expect.poll(() => squatter.authorizations).toEqual(['without a token', 'without a token'])
  })

  it('does not go to a program that took the port of a service that was stopped', async () => {
    const service = await serve()
    const { url } = service
    await service[Symbol.asyncDispose]()
    await using squatter = await Squatter.on('127.0.0.1', portOf(url))
    expect((await get(url)).code).toBe(3)
    await expect.poll(() => squatter.authorizations).toEqual(['without a token'])
  })

  it('goes to the service also by the name localhost, and not to a program on the other address', async (test) => {
    if (!(await hasIPv6())) test.skip('there is no IPv6 here')
    await using service = await serve()
    const port = portOf(service.url)
    await using squatter = await Squatter.on('::1', port)
    expect(await get(`http://localhost:${port}`)).toMatchObject({ code: 0, stderr: '' })
    expect((await get(`http://[::1]:${port}`)).code).toBe(3)
    await expect.poll(() => squatter.authorizations).toEqual(['without a token'])
  })

  it('is named when the service does not accept it', async () => {
    await using service = await serve()
    folder.write('data/principals.json', '{"version":1,"principals":[]}')
    await expect
      .poll(async () => (await get(service.url)).stderr)
      .toBe(
        `pulseward: ${service.url} does not accept the token of ${folder.path('data/operator.token')}; pass another with --token-file.\n`,
      )
  })

  it('is not for another port, and the port of the service is named', async () => {
    await using service = await serve()
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`
    gone.close()
    const { code, stderr } = await get(url)
    expect([code, stderr]).toEqual([
      3,
      `pulseward: ${url} could not be reached: nothing listens there; the service of the data directory is at ${service.url}, so pass --server ${service.url}.\n`,
    ])
  })

  it('gives way to a token that was named', async () => {
    await using service = await serve()
    const end = await runInProcess(
      ['get', 'endpoints', '--server', service.url, '--data', folder.path('data'), '--token-file', '-'],
      { stdin: 'a-token-that-nobody-knows\n' },
    )
    expect(end).toMatchObject({
      code: 3,
      stderr: `pulseward: ${service.url} does not accept this token: it may be of another service, revoked or expired; pass another with --token-file.\n`,
    })
  })
})
