// Two machines on one PostgreSQL, each with a data directory of its own: what was made or ended on one of them holds on the
// other after a takeover: principals, sessions of the page, and uploads that are not applied yet.
import { existsSync, readFileSync } from 'node:fs'
import { csrfHeader } from '@pulseward/contract'
import { eventually, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, runCommand } from '@pulseward/testing/process'
import {
  describeServer,
  freePort,
  type PostgresPlace,
  postgresPlace,
  postgresql,
  type RunningPostgresql,
  startPostgresql,
} from '@pulseward/testing/servers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createPrincipal } from '../access/edit-principals.ts'
import { dataDirectory, makeDirectory } from '../store/data-directory.ts'

interface Machine extends AsyncDisposable {
  readonly url: string
  stop(): Promise<void>
}

describeServer(postgresql, (program) => {
  let server: RunningPostgresql
  let place: PostgresPlace
  let folder: TemporaryFolder
  beforeAll(async () => {
    server = await startPostgresql(program)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  let port: number
  beforeEach(async () => {
    port = await freePort()
    place = postgresPlace(server)
    folder = temporaryFolder()
  })
  afterEach(() => {
    place[Symbol.dispose]()
    folder[Symbol.dispose]()
  })

  const environment = () => ({
    PULSEWARD_STORE: place.url,
    PULSEWARD_CREDENTIALS_KEY_FILE: folder.path('key'),
  })
  const files = (name: string) => dataDirectory(folder.path(name))

  /** Each at an address of its own, by the same port: cookies are called by it. */
  async function start(name: 'first' | 'second'): Promise<Machine> {
    const url = `http://${name === 'first' ? '127.0.0.1' : '127.0.0.2'}:${port}`
    const words = ['serve', '--edition', 'next', '--listen', new URL(url).host, '--data', folder.path(name)]
    const command = new RunningCommand(words, { environment: environment() })
    return {
      url,
      async stop() {
        command.signal('SIGTERM')
        expect(await command.ended).toMatchObject({ code: 0 })
      },
      [Symbol.asyncDispose]: () => command[Symbol.asyncDispose](),
    }
  }
  const isReady = (url: string) =>
    eventually(async () => expect((await fetch(`${url}/api/v1/readyz`)).status).toBe(200))
  const token = (...words: string[]) =>
    runCommand(['token', ...words, '--data', folder.path('first')], { environment: environment() })
  const statusOf = async (url: string, right: string) =>
    (await fetch(`${url}/api/v2/monitors`, { headers: { authorization: `Bearer ${right}` } })).status
  const signIn = async (url: string, right: string) => {
    const answer = await fetch(`${url}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: right }),
    })
    expect(answer.status).toBe(200)
    const { csrf } = (await answer.json()) as { csrf: string }
    return { cookie: answer.headers.get('set-cookie')!.split(';', 1)[0]!, csrf }
  }
  const sessionStatus = async (url: string, cookie: string) =>
    (await fetch(`${url}/session`, { headers: { cookie } })).status

  it('knows on the other machine who was made, revoked, signed in and signed out', async () => {
    await using first = await start('first')
    await isReady(first.url)
    const operator = readFileSync(files('first').operatorToken, 'utf8').trim()
    const ann = (await token('create', 'ann', '--role', 'operator')).stdout.trim()
    const bob = (await token('create', 'bob', '--role', 'reader')).stdout.trim()
    await eventually(async () => expect(await statusOf(first.url, ann)).toBe(200))
    const stays = await signIn(first.url, ann)
    const ends = await signIn(first.url, ann)
    const signOut = await fetch(`${first.url}/session`, {
      method: 'DELETE',
      headers: { cookie: ends.cookie, [csrfHeader]: ends.csrf },
    })
    expect(signOut.status).toBe(204)
    expect((await token('revoke', 'bob')).code).toBe(0)
    await eventually(async () => expect(await statusOf(first.url, bob)).toBe(401))
    expect(JSON.parse((await token('list', '-o', 'json')).stdout)).toMatchObject([
      { name: 'first' },
      { name: 'ann' },
    ])
    expect((await token('create', 'ann', '--role', 'reader')).stderr).toMatch(
      /There is a principal ann already/,
    )
    await eventually(async () => expect(await place.run('SELECT key FROM session')).toHaveLength(1))

    await using second = await start('second')
    await eventually(async () => expect((await fetch(`${second.url}/api/v1/readyz`)).status).toBe(503))
    await first.stop()
    await isReady(second.url)
    expect(await statusOf(second.url, ann)).toBe(200)
    expect(await statusOf(second.url, operator)).toBe(200)
    expect(await statusOf(second.url, bob)).toBe(401)
    const again = await fetch(`${second.url}/session`, { headers: { cookie: stays.cookie } })
    expect([again.status, await again.json()]).toEqual([
      200,
      expect.objectContaining({ name: 'ann', csrf: stays.csrf }),
    ])
    expect(await sessionStatus(second.url, ends.cookie)).toBe(401)
    expect(existsSync(files('second').operatorToken)).toBe(false)
    expect((await token('revoke', 'ann')).code).toBe(0)
    await eventually(async () => expect(await sessionStatus(second.url, stays.cookie)).toBe(401))
    await eventually(async () => expect(await place.run('SELECT key FROM session')).toEqual([]))
  })

  it('takes over the principals of a file once, and leaves a note there', async () => {
    for (const name of ['first', 'second']) makeDirectory(folder.path(name))
    const wanted = { role: 'operator', expiresMs: null, jobTypes: [] } as const
    const { token: ann } = createPrincipal(files('first'), { name: 'ann', ...wanted })
    const { token: eve } = createPrincipal(files('second'), { name: 'eve', ...wanted })
    await using first = await start('first')
    await isReady(first.url)
    expect(await statusOf(first.url, ann)).toBe(200)
    expect(existsSync(files('first').operatorToken)).toBe(false)
    expect(() => createPrincipal(files('first'), { name: 'new', ...wanted })).toThrow(
      /principals are in postgres/,
    )
    const { code, stderr } = await runCommand(['token', 'list', '--data', folder.path('first')], {})
    expect([code, stderr]).toEqual([2, expect.stringContaining('name that store with --store')])
    await first.stop()
    await using second = await start('second')
    await isReady(second.url)
    expect([await statusOf(second.url, ann), await statusOf(second.url, eve)]).toEqual([200, 401])
    expect(readFileSync(files('second').principals, 'utf8')).toContain('eve')
  })
})
