import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { blackbox } from './contender-blackbox.ts'
import { cpra } from './contender-cpra.ts'
import { gatus } from './contender-gatus.ts'
import { pulseward } from './contender-pulseward.ts'
import { type PeerFleet, peerMonitors } from './peer-fleet.ts'

const http: PeerFleet = { monitors: 3, intervalSeconds: 2, type: 'http', ports: [7001, 7002] }
const tcp: PeerFleet = { ...http, type: 'tcp' }
const https: PeerFleet = { ...http, type: 'https', authority: 'PEM', serverName: 'shop.test' }

describe('the fleet of all contenders', () => {
  it('gives each monitor an address and port of its own', () => {
    const monitors = peerMonitors({ ...http, monitors: 100_000 })
    expect(new Set(monitors.map(({ host, port }) => `${host}:${port}`)).size).toBe(100_000)
    expect(monitors[2]).toEqual({
      name: 'service-2',
      host: '127.1.0.1',
      port: 7001,
      url: 'http://127.1.0.1:7001/service/2/health',
    })
  })
})

describe('the configuration of a contender', () => {
  it('is a fleet file for Pulseward', () => {
    const lines = (fleet: PeerFleet) => pulseward('ours').configuration(fleet, 1).trim().split('\n')
    expect(lines(http)).toHaveLength(3)
    expect(JSON.parse(lines(http)[2]!)).toEqual({
      id: 'service-2',
      name: 'service-2',
      check: {
        type: 'http',
        interval: '2s',
        timeout: '2s',
        config: { url: 'http://127.1.0.1:7001/service/2/health' },
      },
    })
    expect(JSON.parse(lines(tcp)[2]!).check.config).toEqual({ host: '127.1.0.1', port: 7001 })
    expect(JSON.parse(lines(https)[2]!).check).toMatchObject({
      type: 'http',
      config: {
        url: 'https://127.1.0.1:7001/service/2/health',
        tls: { ca: 'PEM', server_name: 'shop.test' },
      },
    })
  })

  it('is a list of endpoints for Gatus, whose page stays on loopback', () => {
    const read = (fleet: PeerFleet) => parse(gatus('/gatus').configuration(fleet, 8123))
    expect(read(http)).toMatchObject({
      web: { address: '127.0.0.1', port: 8123 },
      storage: { type: 'memory' },
      'disable-monitoring-lock': true,
    })
    expect(read(http).endpoints[2]).toEqual({
      name: 'service-2',
      url: 'http://127.1.0.1:7001/service/2/health',
      interval: '2s',
      client: { timeout: '2s' },
      conditions: ['[STATUS] == 200'],
    })
    expect(read(tcp).endpoints[2]).toMatchObject({
      url: 'tcp://127.1.0.1:7001',
      conditions: ['[CONNECTED] == true'],
    })
    expect(read(https).endpoints[2]).toMatchObject({
      url: 'https://127.1.0.1:7001/service/2/health',
      client: { timeout: '2s', insecure: true },
    })
  })

  it('is a manifest of pulse checks for CPRa', () => {
    const read = (fleet: PeerFleet) => JSON.parse(cpra('/cpra').configuration(fleet, 1)).monitors
    expect(read(http)).toHaveLength(3)
    expect(read(http)[2]).toMatchObject({
      name: 'service-2',
      enabled: true,
      pulse_check: {
        type: 'http',
        interval: '2s',
        timeout: '2s',
        config: { url: 'http://127.1.0.1:7001/service/2/health', method: 'GET' },
      },
    })
    expect(read(tcp)[2].pulse_check).toMatchObject({ type: 'tcp', config: { host: '127.1.0.1', port: 7001 } })
  })

  it('is one module for blackbox_exporter', () => {
    const read = (fleet: PeerFleet) => parse(blackbox('/blackbox').configuration(fleet, 1)).modules
    const overIpv4 = { preferred_ip_protocol: 'ip4' }
    expect(read(http)).toEqual({ http: { prober: 'http', timeout: '2s', http: overIpv4 } })
    expect(read({ ...tcp, intervalSeconds: 60 })).toEqual({
      tcp: { prober: 'tcp', timeout: '5s', tcp: overIpv4 },
    })
    const trust = { tls_config: { ca_file: 'authority.pem', server_name: 'shop.test' } }
    expect(read(https)).toEqual({
      https: { prober: 'http', timeout: '2s', http: { ...overIpv4, ...trust } },
    })
  })
})
