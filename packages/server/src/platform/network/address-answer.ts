// platform/network/address-answer.ts: reads the addresses of a name out of a DNS answer, along its chain of
// aliases. Records of names that are not on the chain count for nothing.
import { type DnsMessage, recordTypes } from './dns-message.ts'

/** A chain longer than this is broken or hostile. */
export const MAX_ALIASES = 12

export interface AddressAnswer {
  readonly addresses: readonly string[]
  /** The shortest life on the chain. */
  readonly ttlSeconds: number
  /** The name at the end of the chain: where to ask on when it has no address here. */
  readonly lastName: string
  readonly aliases: number
}

export function readAddresses(message: DnsMessage, name: string, type: number): AddressAnswer {
  let ttlSeconds = Number.POSITIVE_INFINITY
  let lastName = name
  let aliases = 0
  for (; aliases <= MAX_ALIASES; aliases++) {
    const alias = message.answers.find(
      (record) => record.type === recordTypes.CNAME && record.name === lastName,
    )
    if (alias === undefined) break
    ttlSeconds = Math.min(ttlSeconds, alias.ttlSeconds)
    lastName = alias.data
  }
  const addresses: string[] = []
  for (const record of message.answers) {
    if (record.type !== type || record.name !== lastName) continue
    ttlSeconds = Math.min(ttlSeconds, record.ttlSeconds)
    if (!addresses.includes(record.data)) addresses.push(record.data)
  }
  return { addresses, ttlSeconds, lastName, aliases }
}
