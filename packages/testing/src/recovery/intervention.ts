// recovery/intervention.ts: the input of a recovery in tests, with a hostile monitor name.
import type { Intervention } from '@pulseward/server/internal/recovery/driver.ts'

export const intervention: Intervention = {
  monitorId: 'checkout-api',
  monitor: 'Checkout API\r\n\0<b>',
  actionId: '0mfx-9',
  incidentId: null,
  seen: 'connection refused by shop.test:443',
  atMs: Date.UTC(2026, 0, 31, 8, 15, 0),
  link: null,
}
