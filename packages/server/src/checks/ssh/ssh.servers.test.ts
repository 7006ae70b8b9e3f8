// The ssh check against OpenSSH.
import { checkFixture } from '@pulseward/testing/checks'
import { describeServer, type RunningSshd, sshd, startSshd } from '@pulseward/testing/servers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SshConfig } from './config.ts'
import { ssh } from './ssh.ts'

describeServer(sshd, (program) => {
  const fixture = checkFixture()
  let server: RunningSshd
  beforeAll(async () => {
    server = await startSshd(program)
  })
  afterAll(async () => {
    fixture[Symbol.dispose]()
    await server?.[Symbol.asyncDispose]()
  })

  const check = async (config: Partial<SshConfig> = {}) => {
    const { outcome } = await fixture.run(ssh, { host: server.host, port: server.port, ...config })
    return outcome
  }
  const login = () => ({ username: server.user, private_key: server.key })

  it('is greeted', async () => {
    expect(await check({ banner: 'OpenSSH' })).toMatchObject({ status: 'success', warning: null })
  })

  it('is known by the fingerprint that ssh-keygen shows', async () => {
    expect(await check({ fingerprint: server.fingerprint })).toMatchObject({ status: 'success' })
  })

  it('is not taken for another server', async () => {
    expect(await check({ fingerprint: `SHA256:${'A'.repeat(43)}` })).toMatchObject({
      status: 'failure',
      reason: `the host key of ${server.host}:${server.port} has another fingerprint: ${server.fingerprint}`,
    })
  })

  it('lets in who has the key', async () => {
    expect(await check(login())).toMatchObject({ status: 'success' })
  })

  it('refuses who has another key, or a password', async () => {
    const refused = { status: 'failure', reason: `the login was refused by ${server.host}:${server.port}` }
    expect(await check({ ...login(), private_key: server.strangersKey })).toMatchObject(refused)
    expect(await check({ username: server.user, password: 'correct horse' })).toMatchObject(refused)
  })

  it('runs a command, whose output and exit code count', async () => {
    const echo = { ...login(), command: 'echo all is well' }
    expect(await check({ ...echo, expect: 'well' })).toMatchObject({ status: 'success' })
    expect(await check({ ...echo, expect: 'ill' })).toMatchObject({
      status: 'failure',
      reason: 'the command did not write "ill"',
    })
    expect(await check({ ...login(), command: 'exit 3' })).toMatchObject({
      status: 'failure',
      reason: 'the command ended with exit code 3',
    })
  })
})
