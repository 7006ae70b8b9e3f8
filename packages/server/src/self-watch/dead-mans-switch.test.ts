import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '@pulseward/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../platform/clock.ts'
import { outboundPolicy } from '../platform/network/address-policy.ts'
import { openNetwork } from '../platform/network/create-network.ts'
import type { Log } from '../telemetry/log.ts'
import { DeadMansSwitch } from './dead-mans-switch.ts'

async function beating({ allowLoopback = true } = {}) {
  const said: string[] = []
  const state = { calls: 0, status: 200, isReady: true, asked: 0 }
  const server = createServer((_request, response) => {
    state.calls++
    response.writeHead(state.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const policy = outboundPolicy({ allowLoopback, allowLinkLocal: false })
  const network = openNetwork(policy, { resolvers: [] }, systemClock)
  const note = (...words: unknown[]) => void said.push(String(words.at(-1)))
  const heartbeat = new DeadMansSwitch({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping/s3cret-key`,
    everyMs: 20,
    network,
    isReady: () => {
      state.asked++
      return state.isReady
    },
    log: { warn: note, info: note } as unknown as Log,
  })
  onTestFinished(async () => {
    await heartbeat[Symbol.asyncDispose]()
    network[Symbol.dispose]()
    server.close()
  })
  return { state, said, heartbeat }
}

describe('the outbound heartbeat', () => {
  it('comes again and again while the service is ready, and not while it is not', async () => {
    const { state } = await beating()
    await until(() => state.calls >= 3)
    state.isReady = false
    const { asked } = state
    // A call that was in flight has arrived before readiness is asked for again.
    await until(() => state.asked >= asked + 2)
    const { calls } = state
    await until(() => state.asked >= asked + 5)
    expect(state.calls).toBe(calls)
  })

  it('says once that it does not arrive, and once that it does again, without the address', async () => {
    const { state, said } = await beating()
    state.status = 500
    await until(() => said.length === 1)
    const { calls } = state
    await until(() => state.calls > calls + 2)
    state.status = 204
    await until(() => said.length === 2)
    expect(said).toEqual([
      'the outbound heartbeat does not arrive: it was answered with 500',
      'the outbound heartbeat arrives again',
    ])
  })

  it('obeys the network policy', async () => {
    const { state, said } = await beating({ allowLoopback: false })
    await until(() => said.length === 1)
    expect(said[0]).toContain('does not arrive')
    expect(said[0]).not.toContain('s3cret')
    expect(state.calls).toBe(0)
  })
})
