// trials/test-message.ts: the message that tries an endpoint. It is gray: providers that page people do not page for it.
import type { Notification } from '../notify/driver.ts'

export interface TestMessage {
  readonly id: string
  readonly atMs: number
  /** The public address of the service; null if it is not known. */
  readonly link: string | null
}

export function testMessage({ id, atMs, link }: TestMessage): Notification {
  return {
    monitorId: 'pulseward-test',
    monitor: 'a monitor of yours',
    color: 'gray',
    cause: 'test',
    status: 'up',
    severity: 'info',
    seen: 'a person tried out this endpoint; nothing is wrong',
    sinceMs: null,
    incidentId: null,
    actionId: `test-${id}`,
    atMs,
    link,
    untold: null,
    digest: null,
  }
}
