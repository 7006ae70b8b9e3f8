// config/settings/listen-address.ts: parses the listener's address and decides whether it is loopback.
import { BlockList, isIP } from 'node:net'
import { UsageError } from '../../platform/usage-error.ts'

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** Keeps the text as written, for display. */
export interface ListenSetting extends ListenAddress {
  readonly written: string
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Accepts 127.0.0.1:8060, [::1]:8060, localhost:8060, or a port alone, which means loopback. */
export function parseListenAddress(text: string): ListenSetting {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]:|([^:[\]\s]*):)?([0-9]{1,5})$/.exec(text)
  const port = Number(match?.[3])
  if (match === null || port > 65_535) {
    throw new UsageError(
      `"${text}" is not an address to listen on; write address:port, such as 127.0.0.1:8060 or [::1]:8060.`,
    )
  }
  const named = match[1] ?? match[2]
  // ":8060" conventionally means all addresses; a port alone stays on this machine.
  const host = named === undefined ? '127.0.0.1' : named === '' ? '0.0.0.0' : named
  return { host, port, written: text }
}

export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true
  const family = isIP(host)
  return family !== 0 && loopback.check(host, family === 6 ? 'ipv6' : 'ipv4')
}

export function formatAddress({ host, port }: ListenAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** url: as the service names itself. The address at which a program on this machine reaches it. */
export function addressFromHere(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
