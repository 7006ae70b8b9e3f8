// platform/network/local-answer.ts: the names that a resolver answers itself. RFC 6761: localhost and everything
// below it lead to this machine and are never asked of a server, so a check of them needs no network.
import { type DnsMessage, recordTypes } from './dns-message.ts'

const addresses: Readonly<Record<number, string>> = {
  [recordTypes.A]: '127.0.0.1',
  [recordTypes.AAAA]: '::1',
}

/** Null for every other name. */
export function localAnswer(name: string, type: number): DnsMessage | null {
  const bare = name.toLowerCase().replace(/\.$/, '')
  if (bare !== 'localhost' && !bare.endsWith('.localhost')) return null
  const data = addresses[type]
  return {
    id: 0,
    rcode: 'NOERROR',
    truncated: false,
    questionName: bare,
    questionType: type,
    answers: data === undefined ? [] : [{ name: bare, type, ttlSeconds: 0, data }],
    authority: [],
  }
}
