// What the contract does not ask of the ssh check; its troubles stand in peers.ts.
import { runCheck } from '@pulseward/testing/checks'
import { TcpTarget } from '@pulseward/testing/targets'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { ssh } from './ssh.ts'
import { hostFingerprint, SshTarget } from './stand-in.fixture.ts'

const host = '127.0.0.1'

describe('an ssh check', () => {
  it('takes a greeting that ends in a line feed alone, as old servers write it', async () => {
    await using target = await TcpTarget.start({ behaviour: { kind: 'banner', text: 'SSH-1.99-Old_2\n' } })
    expect(await runCheck(ssh, { host, port: target.port })).toMatchObject({ status: 'success' })
  })

  it('names the host key that it found instead of the expected one', async () => {
    await using target = await SshTarget.start()
    const config = { host, port: target.port, fingerprint: `SHA256:${'A'.repeat(43)}` }
    expect(await runCheck(ssh, config)).toMatchObject({
      status: 'failure',
      reason: `the host key of ${host}:${target.port} has another fingerprint: ${hostFingerprint}`,
    })
  })

  it('sends no password to a server with another host key', async () => {
    const passwords: string[] = []
    await using target = await SshTarget.start({ onPassword: (password) => passwords.push(password) })
    const login = { username: 'ward', password: 'hush' }
    await runCheck(ssh, { host, port: target.port, ...login, fingerprint: `SHA256:${'A'.repeat(43)}` })
    expect(passwords).toEqual([])
    await runCheck(ssh, { host, port: target.port, ...login, fingerprint: hostFingerprint })
    expect(passwords).toEqual(['hush'])
  })

  it('says that a command was killed', async () => {
    await using target = await SshTarget.start({
      password: 'hush',
      onCommand(_, channel) {
        channel.exit('KILL')
        channel.end()
      },
    })
    const config = { host, port: target.port, username: 'ward', password: 'hush', command: 'sleep 99' }
    expect(await runCheck(ssh, config)).toMatchObject({ status: 'failure', reason: 'the command was killed' })
  })

  const key = { credential: 'KEY' }
  it.each([
    { username: 'ward' },
    { password: key },
    { private_key: key },
    { username: 'ward', password: 'open' },
    { passphrase: key },
    { command: 'uptime' },
    { username: 'ward', private_key: key, expect: 'ready' },
    { fingerprint: 'MD5:00:11' },
  ])('refuses %j', (config) => {
    expect(Compile(ssh.config).Check({ host, ...config })).toBe(false)
  })
})
