// notify/notifications.ts: notifications for tests: an ordinary one, a hostile one, and one that is far too long.
import type { Notification } from '@pulseward/server/internal/notify/driver.ts'

export function notificationOf(changes: Partial<Notification> = {}): Notification {
  return {
    monitorId: 'checkout-api',
    monitor: 'Checkout API',
    color: 'red',
    cause: 'episode',
    status: 'incident',
    severity: 'critical',
    seen: 'connection refused by shop.test:443',
    sinceMs: Date.UTC(2026, 0, 31, 8, 14, 30),
    incidentId: '0mfx-7',
    actionId: '0mfx-9',
    atMs: Date.UTC(2026, 0, 31, 8, 15, 0),
    link: 'https://status.test/monitors/checkout-api',
    untold: null,
    digest: null,
    ...changes,
  }
}

const hostileText =
  'a\r\nX-Injected: yes\r\n\r\nbody\0\u001b[31m\u202eevil\u2028@everyone @here @channel <!channel> <@U123> <https://evil.test|ok> & \ud800'

export const hostileNotification = notificationOf({ monitor: hostileText, seen: hostileText })

export const longNotification = notificationOf({
  monitor: '🔥'.repeat(50_000),
  seen: 'x<&>'.repeat(250_000),
})
