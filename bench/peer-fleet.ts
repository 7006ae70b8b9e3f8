// bench/peer-fleet.ts: the fleet that every contender of `bench peers` and `bench https` checks. Each monitor has an address and port of
// its own, so that the targets can tell monitors apart without asking the contender.
import { certificates } from '@pulseward/testing/targets'

export interface PeerFleet {
  readonly monitors: number
  readonly intervalSeconds: number
  readonly type: 'http' | 'tcp' | 'https'
  /** Of https: the authority of the targets, in PEM, and the name in their certificate. */
  readonly authority?: string
  readonly serverName?: string
  /** Where peer-targets.ts listens, on every loopback address. */
  readonly ports: readonly number[]
}

/** What a check of https must trust, by the key of the targets. */
export function trustOf(key: 'p256' | 'rsa'): Pick<PeerFleet, 'authority' | 'serverName'> {
  const authority = key === 'rsa' ? certificates.rsa.certificate : certificates.authority
  return { authority, serverName: 'shop.test' }
}

export interface PeerMonitor {
  readonly name: string
  readonly host: string
  readonly port: number
  /** For a check of http or https. */
  readonly url: string
}

export function peerMonitors(fleet: PeerFleet): PeerMonitor[] {
  return Array.from({ length: fleet.monitors }, (_, number) => peerMonitorAt(number, fleet))
}

export function peerMonitorAt(number: number, { ports, type }: PeerFleet): PeerMonitor {
  const port = ports[number % ports.length]!
  const address = Math.floor(number / ports.length)
  // From 127.1.0.0 on: 127.0.0.0 itself cannot be connected to.
  const host = `127.${1 + (address >> 16)}.${(address >> 8) & 255}.${address & 255}`
  const scheme = type === 'https' ? 'https' : 'http'
  return {
    name: `service-${number}`,
    host,
    port,
    url: `${scheme}://${host}:${port}/service/${number}/health`,
  }
}

export function timeoutSeconds({ intervalSeconds }: PeerFleet): number {
  return Math.min(5, intervalSeconds)
}
