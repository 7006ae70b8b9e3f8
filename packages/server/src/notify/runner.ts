// notify/runner.ts: runs one notifier to its end, whatever the driver does. The deadline holds also for a driver that
// ignores it; one that fails by itself has delivered nothing if nothing had left, and otherwise nobody knows. No
// secret leaves in a reason. Not a word about trying again: that is decided by whoever reads the verdict.
import type { Network } from '../platform/network/network.ts'
import { type CallEnd, errorInWords, runCall } from '../platform/network/outbound-call.ts'
import { withoutSecrets } from '../platform/redaction/redaction.ts'
import { durationInWords } from '../platform/wording.ts'
import {
  type Notification,
  type Notifier,
  type NotifyRun,
  rejected,
  retry,
  unknown,
  type Verdict,
} from './driver.ts'

export interface Delivery {
  readonly driver: Notifier
  /** With credentials in place. */
  readonly config: Record<string, unknown>
  readonly notification: Notification
  readonly timeoutMs: number
  /** Values that must not be seen in any text that comes back. */
  readonly secrets: readonly string[]
}

export interface NotifyOutlets {
  readonly network: Network
  readonly log: NotifyRun['log']
}

/** Never rejects, and ends within the timeout and a grace of 30 ms. */
export async function runNotifier(delivery: Delivery, outlets: NotifyOutlets): Promise<Verdict> {
  const { driver, config, notification, timeoutMs, secrets } = delivery
  const end = await runCall(outlets.network, timeoutMs, ({ network, signal, departs }) =>
    driver.notify(config, notification, {
      network,
      timeoutMs,
      signal,
      log: (message, fields) => {
        departs()
        outlets.log(message, fields)
      },
    }),
  )
  return redacted(verdictOf(end, timeoutMs), secrets)
}

function verdictOf(end: CallEnd<Verdict>, timeoutMs: number): Verdict {
  if (end.kind === 'gave') {
    return isVerdict(end.value) ? end.value : unknown('the notifier itself failed: it gave no verdict')
  }
  if (end.kind === 'threw') {
    const reason = `the notifier itself failed: ${errorInWords(end.error)}`
    return end.mayHaveLeft ? unknown(reason) : rejected(reason)
  }
  const reason = `no verdict within ${durationInWords(timeoutMs)}; the notifier did not stop by itself`
  return end.mayHaveLeft ? unknown(reason) : retry(reason)
}

function redacted(verdict: Verdict, secrets: readonly string[]): Verdict {
  if (verdict.kind !== 'delivered') return { ...verdict, reason: withoutSecrets(verdict.reason, secrets) }
  return verdict.note === null ? verdict : { ...verdict, note: withoutSecrets(verdict.note, secrets) }
}

const failures: ReadonlySet<unknown> = new Set(['rejected', 'retry', 'gone', 'unknown'])

/** Types end where a driver's library begins. */
function isVerdict(value: Verdict | null | undefined): value is Verdict {
  if (typeof value !== 'object' || value === null) return false
  if (value.kind === 'delivered') return value.note === null || typeof value.note === 'string'
  if (!failures.has(value.kind) || typeof value.reason !== 'string') return false
  return value.kind !== 'retry' || value.waitMs === null || Number.isFinite(value.waitMs)
}
