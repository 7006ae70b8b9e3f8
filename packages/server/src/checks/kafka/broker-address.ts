// checks/kafka/broker-address.ts: a broker as a fleet file writes it: HOST:PORT, [ADDRESS]:PORT for IPv6, or a host alone.

const USUAL_PORT = 9092

export interface Address {
  readonly host: string
  readonly port: number
}

/** Null when the text is no address. */
export function parseAddress(text: string): Address | null {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = digits === undefined ? USUAL_PORT : Number(digits)
  return host === undefined || port < 1 || port > 65_535 ? null : { host, port }
}
