import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { promptlyMs } from '@pulseward/testing'
import { checkFixture } from '@pulseward/testing/network'
import { BlackHole, DnsTarget, TcpTarget } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { outboundPolicy } from './address-policy.ts'
import type { Abandon } from './network.ts'

describe('the network', () => {
  it('connects by name, by address and by an address in brackets', async () => {
    await using target = await TcpTarget.start()
    await using ipv6 = await TcpTarget.start({ host: '::1' })
    await using dns = await DnsTarget.start({ zone: { 'shop.test': [{ type: 'A', value: '127.0.0.1' }] } })
    using fixture = checkFixture({ servers: [dns.address] })
    for (const [host, port] of [
      ['shop.test', target.port],
      ['127.0.0.1', target.port],
      ['::1', ipv6.port],
      ['[::1]', ipv6.port],
      ['localhost', ipv6.port],
    ] as const) {
      const socket = await fixture.network.connect({ host, port })
      expect(socket.remotePort).toBe(port)
      socket.destroy()
    }
  })

  it('judges the resolved address, whatever the name was', async () => {
    await using target = await TcpTarget.start()
    await using dns = await DnsTarget.start({
      zone: {
        'rebind.test': [{ type: 'A', value: '127.0.0.1' }],
        'metadata.test': [{ type: 'A', value: '169.254.169.254' }],
        'hidden.test': [{ type: 'AAAA', value: '64:ff9b::a9fe:a9fe' }],
      },
    })
    const policy = outboundPolicy({ allowLoopback: false, allowLinkLocal: false })
    using fixture = checkFixture({ servers: [dns.address], policy })
    for (const host of ['rebind.test', 'metadata.test', 'hidden.test', 'localhost', '127.0.0.1', '::1']) {
      await expect(fixture.network.connect({ host, port: target.port })).rejects.toMatchObject({
        code: 'POLICY',
        evidence: 'target',
      })
      await expect(fixture.network.resolve(host)).rejects.toMatchObject({ code: 'POLICY' })
    }
    expect(target.connectionsOpened).toBe(0)
    await expect(fixture.network.ping('127.0.0.1', 100)).rejects.toMatchObject({ code: 'POLICY' })
    const question = { name: 'rebind.test', type: 'A', server: '127.0.0.1' } as const
    await expect(fixture.network.queryDns(question)).rejects.toMatchObject({ code: 'POLICY' })
  })

  it('goes on with the next address when one refuses', async () => {
    await using target = await TcpTarget.start({ host: '127.0.0.2' })
    using fixture = checkFixture({ hosts: '127.0.0.1 two.test\n127.0.0.2 two.test' })
    const socket = await fixture.network.connect({ host: 'two.test', port: target.port })
    expect(socket.remoteAddress).toBe('127.0.0.2')
    socket.destroy()
  })

  it('tries the next address beside one that is silent, and closes the loser', async () => {
    await using hole = await BlackHole.start('127.0.0.1')
    await using target = await TcpTarget.start({ host: '127.0.0.2', port: hole.port })
    using fixture = checkFixture({ hosts: '127.0.0.1 two.test\n127.0.0.2 two.test' })
    const began = performance.now()
    const socket = await fixture.network.connect({ host: 'two.test', port: hole.port })
    expect(socket.remoteAddress).toBe('127.0.0.2')
    expect(performance.now() - began).toBeLessThan(promptlyMs)
    socket.destroy()
    await target.allClosed()
  })

  it('tells refusal in words and calls it an answer of the target', async () => {
    await using target = await TcpTarget.start()
    await target.refuses()
    using fixture = checkFixture({ hosts: '127.0.0.1 shop.test' })
    await expect(fixture.network.connect({ host: '127.0.0.1', port: target.port })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
      message: `connection refused by 127.0.0.1:${target.port}`,
      evidence: 'target',
    })
    await expect(fixture.network.connect({ host: 'shop.test', port: target.port })).rejects.toMatchObject({
      message: `connection refused by shop.test:${target.port} (127.0.0.1)`,
    })
  })

  it('refuses a port that is none', async () => {
    using fixture = checkFixture()
    for (const port of [0, 70_000, Number.NaN]) {
      await expect(fixture.network.connect({ host: '127.0.0.1', port })).rejects.toMatchObject({
        code: 'BAD_PORT',
      })
    }
  })

  it('can be abandoned while it resolves, while it waits for a place and while it connects', async () => {
    await using hole = await BlackHole.start()
    await using dns = await DnsTarget.start({ behaviour: 'nothing' })
    using fixture = checkFixture({ servers: [dns.address], openedAtOnce: 1 })
    const begin = (host: string): { abandon: Abandon; ended: Promise<unknown> } => {
      const abandon: Abandon = {}
      return { abandon, ended: fixture.network.connect({ host, port: hole.port }, abandon) }
    }
    const resolving = begin('shop.test')
    const connecting = begin('127.0.0.1')
    const waiting = begin('127.0.0.1')
    for (const { abandon } of [resolving, waiting, connecting]) abandon.onStop?.()
    const peer = `127.0.0.1:${hole.port}`
    await expect(resolving.ended).rejects.toMatchObject({
      code: 'ABORTED',
      message: 'no answer from the resolver for shop.test',
    })
    await expect(waiting.ended).rejects.toMatchObject({
      code: 'CROWDED',
      message: `no free place to connect to ${peer}`,
    })
    await expect(connecting.ended).rejects.toMatchObject({ message: `no connection to ${peer}` })
    for (const { abandon } of [resolving, waiting, connecting]) expect(abandon.onStop).toBeUndefined()
  })

  it('opens everything in the end when far more is asked for than places are there', async () => {
    await using target = await TcpTarget.start()
    using fixture = checkFixture({ openedAtOnce: 3 })
    const sockets = await Promise.all(
      Array.from({ length: 100 }, () => fixture.network.connect({ host: '127.0.0.1', port: target.port })),
    )
    await expect.poll(() => target.connectionsOpened).toBe(100)
    for (const socket of sockets) socket.destroy()
    await target.allClosed()
  })

  it('leaves nothing open that would keep a process alive', async () => {
    await using target = await TcpTarget.start()
    await using dns = await DnsTarget.start({ behaviour: 'nothing' })
    const script = `
      import { checkFixture } from '${import.meta.resolve('@pulseward/testing/network')}'
      const fixture = checkFixture({ servers: ['${dns.address}'] })
      const socket = await fixture.network.connect({ host: '127.0.0.1', port: ${target.port} })
      const query = fixture.network.queryDns({ name: 'shop.test', type: 'A', server: null }).catch(() => {})
      const lookup = fixture.resolver.lookup('shop.test', 'any')
      await fixture.network.ping('127.0.0.1', 200).catch(() => {})
      socket.destroy()
      fixture[Symbol.dispose]()
      await Promise.all([query, lookup])
      process.stdout.write('disposed')`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--no-warnings', '--input-type=module-typescript', '-e', script],
      { timeout: 300_000 },
    )
    expect(stdout).toBe('disposed')
  })
})

describe('a question to the DNS', () => {
  it.each([
    ['localhost', 'A', ['127.0.0.1']],
    ['LOCALHOST.', 'AAAA', ['::1']],
    ['db.localhost', 'A', ['127.0.0.1']],
    ['localhost', 'MX', []],
  ] as const)('for %s of type %s is answered with %j and without a server', async (name, type, data) => {
    using fixture = checkFixture()
    const { rcode, answers } = await fixture.network.queryDns({ name, type, server: null })
    expect(rcode).toBe('NOERROR')
    expect(answers.map((record) => record.data)).toEqual(data)
  })

  it.each(['example.test', 'notlocalhost', 'localhost.test'])('for %s goes to a server', async (name) => {
    await using dns = await DnsTarget.start({ zone: {} })
    using fixture = checkFixture({ servers: [dns.address] })
    const { rcode } = await fixture.network.queryDns({ name, type: 'A', server: null })
    expect(rcode).toBe('NXDOMAIN')
  })
})
