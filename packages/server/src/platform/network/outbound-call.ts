// platform/network/outbound-call.ts: runs one call of an action driver to its end, whatever the driver does: the deadline
// holds even if the driver ignores it, and an exception becomes a value. In both cases it knows whether anything may have
// left this process, because it sees every connection (and what else the caller marks); drivers need not help.
import { type ActionOutcome, isActionOutcome, rejected, retry, unknown } from '../action-outcome.ts'
import { withoutSecrets } from '../redaction/redaction.ts'
import { durationInWords, quote } from '../wording.ts'
import type { Network } from './network.ts'
import type { Deadline } from './outbound-connect.ts'
import { watchConnect } from './watched-network.ts'

/** How long after its deadline a driver may still answer. */
const GRACE_MS = 30

export type CallEnd<Value> =
  | { readonly kind: 'gave'; readonly value: Value }
  | { readonly kind: 'threw'; readonly error: unknown; readonly mayHaveLeft: boolean }
  | { readonly kind: 'overran'; readonly mayHaveLeft: boolean }

/** What a driver is given for one call. */
export interface Call extends Deadline {
  readonly network: Network
  /** To be called before anything other than a connection takes effect outside this process. */
  departs(): void
}

export interface ActionCall {
  /** The kind of driver, in words. */
  readonly noun: 'notifier' | 'recovery'
  readonly network: Network
  readonly timeoutMs: number
  /** Values that must be redacted from any text that comes back. */
  readonly secrets: readonly string[]
  /** Ends it as its deadline would. */
  readonly giveUp?: AbortSignal | undefined
}

/**
 * The outcome of an action driver, whatever the driver does. If the driver itself fails, nothing was done if nothing had
 * left the process; otherwise the outcome is unknown. Never rejects, and ends within the timeout plus the grace.
 */
export async function runAction(
  { noun, network, timeoutMs, secrets, giveUp }: ActionCall,
  work: (call: Call) => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  const end = await runCall(network, timeoutMs, work, giveUp)
  return redacted(outcomeOf(end, noun, timeoutMs), secrets)
}

function outcomeOf(end: CallEnd<ActionOutcome>, noun: string, timeoutMs: number): ActionOutcome {
  switch (end.kind) {
    case 'gave':
      return isActionOutcome(end.value)
        ? end.value
        : unknown(`the ${noun} itself failed: it did not say what became of the call`)
    case 'threw': {
      const reason = `the ${noun} itself failed: ${errorInWords(end.error)}`
      return end.mayHaveLeft ? unknown(reason) : rejected(reason)
    }
    case 'overran': {
      const reason = `no outcome within ${durationInWords(timeoutMs)}; the ${noun} did not stop by itself`
      return end.mayHaveLeft ? unknown(reason) : retry(reason)
    }
  }
}

function redacted(outcome: ActionOutcome, secrets: readonly string[]): ActionOutcome {
  if (outcome.kind !== 'accepted') return { ...outcome, reason: withoutSecrets(outcome.reason, secrets) }
  return outcome.note === undefined ? outcome : { ...outcome, note: withoutSecrets(outcome.note, secrets) }
}

/** Never rejects, and ends within the timeout plus the grace. */
export function runCall<Value>(
  network: Network,
  timeoutMs: number,
  work: (call: Call) => Promise<Value>,
  giveUp?: AbortSignal,
): Promise<CallEnd<Value>> {
  return new Promise((resolve) => {
    const controller = new AbortController()
    let mayHaveLeft = false
    const departs = (): void => {
      mayHaveLeft = true
    }
    const end = (ended: CallEnd<Value>): void => {
      clearTimeout(timer)
      giveUp?.removeEventListener('abort', expire)
      resolve(ended)
    }
    const expire = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => end({ kind: 'overran', mayHaveLeft }), GRACE_MS)
      controller.abort()
    }
    let timer = setTimeout(expire, timeoutMs)
    if (giveUp?.aborted) expire()
    else giveUp?.addEventListener('abort', expire)
    const call: Call = {
      network: watchConnect(network, departs),
      signal: controller.signal,
      timeoutMs,
      departs,
    }
    // Started inside a promise, so that a synchronous throw is handled like a rejection.
    Promise.try(() => work(call)).then(
      (value) => end({ kind: 'gave', value }),
      (error: unknown) => end({ kind: 'threw', error, mayHaveLeft }),
    )
  })
}

/** The message of an exception, quoted as foreign text: it may contain anything. */
export function errorInWords(error: unknown): string {
  return quote(error instanceof Error ? error.message : String(error))
}
