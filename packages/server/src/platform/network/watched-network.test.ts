import { checkFixture } from '@pulseward/testing/network'
import { DnsTarget, TcpTarget } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { type Abandon, ConnectError } from './network.ts'
import { watchResolve } from './watched-network.ts'

const zone = { 'shop.test': [{ type: 'A', value: '127.0.0.1', ttl: 60 }] } as const

describe('a network that watches resolving', () => {
  it('tells once when a name is resolved, and asks the DNS no more than without it', async () => {
    await using target = await TcpTarget.start()
    await using dns = await DnsTarget.start({ zone })
    using fixture = checkFixture({ servers: [dns.address] })
    let resolved = 0
    const network = watchResolve(fixture.network, () => resolved++)
    const socket = await network.connect({ host: 'shop.test', port: target.port })
    socket.destroy()
    expect([resolved, dns.questions.length]).toEqual([1, 2])
  })

  it('tells nothing of a literal address', async () => {
    await using target = await TcpTarget.start()
    using fixture = checkFixture()
    let resolved = 0
    const network = watchResolve(fixture.network, () => resolved++)
    await new Promise<void>((done, failed) => {
      network.dial(
        { host: '127.0.0.1', port: target.port },
        {},
        (socket) => done(void socket.destroy()),
        failed,
      )
    })
    expect(resolved).toBe(0)
  })

  it('fails as it would without it, also when the caller gives up', async () => {
    await using dns = await DnsTarget.start({ zone, behaviour: 'nothing' })
    using fixture = checkFixture({ servers: [dns.address] })
    const network = watchResolve(fixture.network, () => {})
    const abandon: Abandon = {}
    const connecting = network.connect({ host: 'shop.test', port: 1 }, abandon)
    abandon.onStop!()
    await expect(connecting).rejects.toMatchObject({
      code: 'ABORTED',
      message: 'no answer from the resolver for shop.test',
    })
    await expect(network.connect({ host: '0x7f.1', port: 1 })).rejects.toBeInstanceOf(ConnectError)
  })
})
