// platform/network/network.ts: the only way out of the process for checks, recoveries and notifications. Our
// own resolver resolves a name, the policy is applied to the address at connect time, and only then is a
// connection opened. Nothing else in the server calls dns.lookup or connects by host name.
import type { Socket } from 'node:net'
import type { DnsMessage, RecordType } from './dns-message.ts'

export type Family = 'any' | 'ipv4' | 'ipv6'

export interface ConnectTarget {
  readonly host: string
  readonly port: number
  readonly family?: Family
  /**
   * Receives the peer's bytes instead of 'data' events: a tenth cheaper, because no buffer is created per
   * read. The bytes are valid only during the call.
   */
  readonly onBytes?: (bytes: Buffer) => void
}

export interface DnsQuestion {
  readonly name: string
  readonly type: RecordType
  /** An address or name with an optional port; null uses the configured resolver. */
  readonly server: string | null
}

/** Why there is no connection, in words for a person; the evidence says which side it is about. */
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
 * Lets a caller give up: stop() closes whatever is open and the promise rejects with code ABORTED, or CROWDED
 * if the attempt never got a place. The message then names the phase so that "within 5s" can follow it ("no
 * connection to shop.test:443").
 */
export interface Abandon {
  /**
   * Assign a function that has a name already: a function expression in the assignment outlives its check (discard.ts).
   */
  onStop?: (() => void) | undefined
}

export interface Network {
  /** The addresses of a name that the policy admits, in the order to try; throws ConnectError if there is none. */
  resolve(host: string, family?: Family): Promise<readonly string[]>
  /** A connected plain socket. Tries every admitted address in turn; sets abandon.onStop while it is in flight. */
  connect(target: ConnectTarget, abandon?: Abandon): Promise<Socket>
  /** The same without a promise, for thousands of calls per second. Calls exactly one of the two, once. */
  dial(
    target: ConnectTarget,
    abandon: Abandon,
    connected: (socket: Socket) => void,
    failed: (error: unknown) => void,
  ): void
  /** Applies the policy to one literal address; null if it may be reached, otherwise a sentence that says why not. */
  refuses(address: string): string | null
  /** One query to one DNS server, bypassing the cache; an answer of any rcode is an answer. */
  queryDns(question: DnsQuestion, abandon?: Abandon): Promise<DnsMessage>
  /**
   * One echo request to a literal address: the round trip in milliseconds, or null if no reply came in time
   * or the caller gave up. Throws ConnectError, with code UNSUPPORTED if this machine cannot ping.
   */
  ping(address: string, timeoutMs: number, abandon?: Abandon): Promise<number | null>
}
