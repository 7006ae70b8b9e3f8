// A probe whose connection is open and that says nothing more, as behind a network that was cut.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { temporaryFolder } from '@pulseward/testing'
import { TestService } from '@pulseward/testing/engine'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createPrincipal } from '../../access/edit-principals.ts'
import { principalsInFile } from '../../access/principal-source.ts'
import { Principals } from '../../access/principals.ts'
import { FakeProbe, helloOf } from '../../locations/fake-probe.fixture.ts'
import { dataDirectory, makeDirectory } from '../../store/data-directory.ts'
import { silentLog } from '../../telemetry/log.ts'
import { TrustedProxies } from '../client-address.ts'
import { ProbeGateway } from './probe-gateway.ts'

it('is given up, and its check ends without data', async () => {
  const check = {
    type: 'tcp',
    interval: '10s',
    timeout: '5s',
    locations: ['fra'],
    config: { host: '192.0.2.1', port: 1 },
  }
  const service = await TestService.start({ monitors: [{ id: 'edge', name: 'edge', check }] })
  using folder = temporaryFolder()
  makeDirectory(folder.path('data'))
  const files = dataDirectory(folder.path('data'))
  const { token } = createPrincipal(files, {
    name: 'fra',
    role: 'probe',
    expiresMs: null,
    jobTypes: [],
    locations: ['fra'],
  })
  using principals = Principals.open(principalsInFile(files.principals), service.clock)
  using gateway = new ProbeGateway({
    remote: service.remote,
    principals,
    proxies: new TrustedProxies([]),
    clock: service.clock,
    log: silentLog,
    watch: { everyMs: 20, missedLooks: 10 },
  })
  const server = createServer().listen(0, '127.0.0.1')
  server.on('upgrade', (request, socket, head) => gateway.take(request, socket as never, head))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const probe = new FakeProbe()
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, {
    headers: { authorization: `Bearer ${token}` },
    autoPong: false,
  })
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.on('close', resolve))
  await once(socket, 'open')
  socket.send(probe.hello(helloOf()))
  await closed
  expect(service.remote.locations).toEqual([])
  expect(service.remote.counts.refusals('silent')).toBe(1)
  server.close()
})
