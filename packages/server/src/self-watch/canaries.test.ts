// Canaries with real sockets and a real resolver on loopback; only the waiting between two readings is cut short,
// and the tables of the kernel are the test's own.

import { checkFixture } from '@pulseward/testing/network'
import { DnsTarget } from '@pulseward/testing/targets'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Network } from '../platform/network/network.ts'
import { Canaries, type CanaryOptions } from './canaries.ts'
import type { Canary } from './own-fault.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const everyMs = 2_000
const noNetwork = {} as Network

/** The canaries, and each reading as it comes. */
class CanariesUnderTest implements AsyncDisposable {
  readonly readings: [Canary, boolean][] = []
  readonly #canaries: Canaries
  #heard: () => void = () => {}

  constructor(wanted: readonly Canary[], options: Partial<CanaryOptions> = {}) {
    const read = (canary: Canary, passes: boolean) => {
      this.readings.push([canary, passes])
      this.#heard()
    }
    this.#canaries = new Canaries({
      wanted,
      network: noNetwork,
      checksPerSecond: () => 2,
      read,
      ...options,
    })
  }

  /** The next reading, when its time has come. */
  async next(): Promise<[Canary, boolean]> {
    const heard = new Promise<void>((resolve) => {
      this.#heard = resolve
    })
    await vi.advanceTimersByTimeAsync(everyMs)
    await heard
    return this.readings.at(-1)!
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#canaries[Symbol.asyncDispose]()
  }
}

describe('Canaries', () => {
  it('read the loopback again and again, every two seconds', async () => {
    await using canaries = new CanariesUnderTest(['loopback'])
    await vi.advanceTimersByTimeAsync(everyMs - 1)
    expect(canaries.readings).toEqual([])
    expect(await canaries.next()).toEqual(['loopback', true])
    expect(await canaries.next()).toEqual(['loopback', true])
  })

  it('are read every ten seconds while checks are too few to be excused, and more often when there are more', async () => {
    let rate = 1.9
    await using canaries = new CanariesUnderTest(['loopback'], { checksPerSecond: () => rate })
    await vi.advanceTimersByTimeAsync(9_999)
    expect(canaries.readings).toEqual([])
    rate = 2
    expect(await canaries.next()).toEqual(['loopback', true])
    expect(await canaries.next()).toEqual(['loopback', true])
  })

  it.each(['answer', 'servfail', 'refused'] as const)(
    'take %s of the resolver for a sign of life',
    async (behaviour) => {
      await using dns = await DnsTarget.start({ behaviour })
      using fixture = checkFixture({ servers: [dns.address] })
      await using canaries = new CanariesUnderTest(['resolver'], { network: fixture.network })
      expect(await canaries.next()).toEqual(['resolver', true])
    },
  )

  it('take the silence of the resolver for its absence, after a second', async () => {
    await using dns = await DnsTarget.start({ behaviour: 'nothing' })
    using fixture = checkFixture({ servers: [dns.address] })
    await using canaries = new CanariesUnderTest(['resolver'], { network: fixture.network })
    await vi.advanceTimersByTimeAsync(everyMs)
    await vi.advanceTimersByTimeAsync(999)
    expect(canaries.readings).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(canaries.readings).toEqual([['resolver', false]])
  })

  it('read nothing that is not wanted, and nothing after they were closed', async () => {
    const canaries = new CanariesUnderTest([])
    await vi.advanceTimersByTimeAsync(3 * everyMs)
    expect(canaries.readings).toEqual([])
    await canaries[Symbol.asyncDispose]()
    await vi.advanceTimersByTimeAsync(3 * everyMs)
    expect(canaries.readings).toEqual([])
  })

  it('drop a reading that comes after they were closed', async () => {
    const { promise, reject } = Promise.withResolvers<never>()
    const network = { queryDns: () => promise } as unknown as Network
    const canaries = new CanariesUnderTest(['resolver'], { network })
    await vi.advanceTimersByTimeAsync(everyMs)
    await canaries[Symbol.asyncDispose]()
    reject(new Error('closed'))
    await vi.advanceTimersByTimeAsync(everyMs)
    expect(canaries.readings).toEqual([])
  })
})

describe('the gateway', () => {
  const routeHead = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\n'
  const route = `${routeHead}eth0\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\n`
  const arpHead = 'IP address       HW type     Flags       HW address            Mask     Device\n'
  const neighbour = (flags: string) =>
    `${arpHead}172.17.0.1       0x1         ${flags}         02:42:5e:00:00:01     *        eth0\n`

  async function readings(tables: Readonly<Record<string, string>>): Promise<[Canary, boolean][]> {
    const readTable = async (path: string) => {
      const table = tables[path]
      if (table === undefined) throw new Error('ENOENT')
      return table
    }
    await using canaries = new CanariesUnderTest(['gateway', 'loopback'], { readTable })
    while (!canaries.readings.some(([canary]) => canary === 'loopback')) await canaries.next()
    return canaries.readings.filter(([canary]) => canary === 'gateway')
  }

  it.each<[string, Readonly<Record<string, string>>, [Canary, boolean][]]>([
    ['passes while it is in the neighbour table', tables(route, neighbour('0x2')), [['gateway', true]]],
    ['fails when it does not answer any more', tables(route, neighbour('0x0')), [['gateway', false]]],
    ['says nothing before anybody asked for it', tables(route, arpHead), []],
    ['says nothing without a default route', tables(routeHead, neighbour('0x2')), []],
    ['says nothing where the system keeps no such tables', {}, []],
  ])('%s', async (_, files, expected) => {
    expect(await readings(files)).toEqual(expected)
  })

  function tables(routes: string, neighbours: string): Readonly<Record<string, string>> {
    return { '/proc/net/route': routes, '/proc/net/arp': neighbours }
  }
})
