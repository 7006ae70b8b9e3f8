// bench/peer-fleet.ts: the fleet that every contender of `bench peers` checks. Each monitor has an address and port of
// its own, so that the targets can tell monitors apart without asking the contender.

export interface PeerFleet {
  readonly monitors: number
  readonly intervalSeconds: number
  readonly type: 'http' | 'tcp'
  /** Where peer-targets.ts listens, on every loopback address. */
  readonly ports: readonly number[]
}

export interface PeerMonitor {
  readonly name: string
  readonly host: string
  readonly port: number
  /** For an http check. */
  readonly url: string
}

export function peerMonitors(fleet: PeerFleet): PeerMonitor[] {
  return Array.from({ length: fleet.monitors }, (_, number) => peerMonitorAt(number, fleet.ports))
}

export function peerMonitorAt(number: number, ports: readonly number[]): PeerMonitor {
  const port = ports[number % ports.length]!
  const address = Math.floor(number / ports.length)
  // From 127.1.0.0 on: 127.0.0.0 itself cannot be connected to.
  const host = `127.${1 + (address >> 16)}.${(address >> 8) & 255}.${address & 255}`
  return { name: `service-${number}`, host, port, url: `http://${host}:${port}/service/${number}/health` }
}

export function timeoutSeconds({ intervalSeconds }: PeerFleet): number {
  return Math.min(5, intervalSeconds)
}
