// platform/network/network.ts: the only way out of the process for checks, recoveries and notifications.
// A name is resolved by our own resolver, the policy is applied to the address at connect time, and only then
// is a connection opened. Nothing else in the server calls dns.lookup or connects by host name.
import type { Socket } from 'node:net'
import type { DnsMessage, RecordType } from './dns-message.ts'

export type Family = 'any' | 'ipv4' | 'ipv6'

export interface ConnectTarget {
  readonly host: string
  readonly port: number
  readonly family?: Family
  /**
   * Takes what the peer sends instead of 'data' events: a tenth cheaper, because no buffer is made for each read.
   * The bytes are valid only during the call.
   */
  readonly onBytes?: (bytes: Buffer) => void
}

export interface DnsQuestion {
  readonly name: string
  readonly type: RecordType
  /** An address or name with an optional port; null asks the configured resolver. */
  readonly server: string | null
}

/** Why no connection came about, in words for a person; the evidence says whose side spoke. */
export class ConnectError extends Error {
  readonly code: string
  readonly evidence: 'target' | 'local'
  constructor(code: string, message: string, evidence: 'target' | 'local', options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ConnectError'
    this.code = code
    this.evidence = evidence
  }
}

/**
 * Lets a caller give up: stop() closes whatever is open and the promise rejects with code ABORTED, or CROWDED when
 * there was no room to even begin. The message then names the phase so that "within 5s" can follow it ("no
 * connection to shop.test:443").
 */
export interface Abandon {
  /** A function that is named first: one that is written where it is assigned outlives its check (discard.ts). */
  onStop?: (() => void) | undefined
}

export interface Network {
  /** Addresses of a name that the policy admits, in the order to try; throws ConnectError when there is none. */
  resolve(host: string, family?: Family): Promise<readonly string[]>
  /** A connected plain socket. Tries every admitted address in turn; sets abandon.onStop while it is in flight. */
  connect(target: ConnectTarget, abandon?: Abandon): Promise<Socket>
  /** The same without a promise, for what is done thousands of times a second. Calls exactly one of the two, once. */
  dial(
    target: ConnectTarget,
    abandon: Abandon,
    connected: (socket: Socket) => void,
    failed: (error: unknown) => void,
  ): void
  /** Judges one literal address; null when it may be reached, otherwise the sentence that says why not. */
  refuses(address: string): string | null
  /** One question to one DNS server, past the cache; an answer of any rcode is an answer. */
  queryDns(question: DnsQuestion, abandon?: Abandon): Promise<DnsMessage>
  /**
   * One echo request to a literal address: the round trip in milliseconds, or null when nothing came back in
   * time or the caller gave up. Throws ConnectError, with code UNSUPPORTED where this machine cannot ping.
   */
  ping(address: string, timeoutMs: number, abandon?: Abandon): Promise<number | null>
}
