// trial/served-notification.ts: has a service send one test message to an endpoint that it has. Sent once: if the answer is
// lost, the message may have arrived.
import { notifiers, shownTarget, UsageError } from '@pulseward/server'
import type { ParsedArguments } from '../arguments.ts'
import { plain } from '../client/plain-text.ts'
import type { Session } from '../client/session.ts'
import { tellNotification } from './notification-report.ts'
import { patience, refuseFleetFlags } from './served.ts'

/** As long as any notification may take. */
const sendingMs = 15_000

/** The operations of v2 that it carries out. */
export const operationsOfTestNotification = ['TryNotification'] as const

export async function runServedNotification(
  parsed: ParsedArguments,
  { client, signal, terminal }: Session,
): Promise<number> {
  refuseFleetFlags(parsed)
  const [id, ...others] = parsed.operands
  if (id === undefined || others.length > 0)
    throw new UsageError('Name one endpoint: pulseward test-notification ENDPOINT --server URL')
  const { data } = await client.getNotificationEndpoint({ id }, { signal })
  const { type, config } = data.spec
  const tried = await client.tryNotification({ body: data.spec }, { signal, ...patience(parsed, sendingMs) })
  const driver = Object.hasOwn(notifiers, type) ? notifiers[type] : undefined
  const target = driver === undefined ? '' : `, ${plain(shownTarget(driver, (config ?? {}) as object))}`
  return tellNotification(terminal, tried.data, `${id} (${type}${target})`)
}
