// platform/network/outbound-call.ts: runs one driver's call to its end, whatever the driver does: the deadline holds
// even when the driver ignores it, and an exception becomes a value. Both say whether anything may have left this
// process. That depends on whether a connection (or another step that the caller marks) was made, so drivers need not
// help.
import { quote } from '../wording.ts'
import type { Network } from './network.ts'
import type { Deadline } from './outbound-connect.ts'
import { watchConnect } from './watched-network.ts'

/** How long after its deadline a driver may still answer before it is answered for. */
const GRACE_MS = 30

export type CallEnd<Value> =
  | { readonly kind: 'gave'; readonly value: Value }
  | { readonly kind: 'threw'; readonly error: unknown; readonly mayHaveLeft: boolean }
  | { readonly kind: 'overran'; readonly mayHaveLeft: boolean }

/** What a driver is given for one call. */
export interface Call extends Deadline {
  readonly network: Network
  /** To be called before anything besides a connection takes effect outside. */
  departs(): void
}

/** Never rejects, and ends within the timeout and the grace. */
export function runCall<Value>(
  network: Network,
  timeoutMs: number,
  work: (call: Call) => Promise<Value>,
): Promise<CallEnd<Value>> {
  return new Promise((resolve) => {
    const controller = new AbortController()
    let mayHaveLeft = false
    const departs = (): void => {
      mayHaveLeft = true
    }
    const end = (ended: CallEnd<Value>): void => {
      clearTimeout(timer)
      resolve(ended)
    }
    let timer = setTimeout(() => {
      timer = setTimeout(() => end({ kind: 'overran', mayHaveLeft }), GRACE_MS)
      controller.abort()
    }, timeoutMs)
    const call: Call = {
      network: watchConnect(network, departs),
      signal: controller.signal,
      timeoutMs,
      departs,
    }
    // Started inside a promise, so that a driver that throws at once is handled like any other.
    Promise.try(() => work(call)).then(
      (value) => end({ kind: 'gave', value }),
      (error: unknown) => end({ kind: 'threw', error, mayHaveLeft }),
    )
  })
}

/** The message of an exception, quoted as foreign text: it may hold anything. */
export function errorInWords(error: unknown): string {
  return quote(error instanceof Error ? error.message : String(error))
}
