// views/manage/first-use/practice-monitor.ts: the monitor of the practice target: quick, so that nobody has to wait.
import type { JsonObject } from '../json.ts'

export const practiceId = 'practice-target'

export function practiceMonitor(url: string): JsonObject {
  // The service reaches itself by an address, for which its certificate is not made.
  const config = url.startsWith('https:') ? { url, tls: { verify: false } } : { url }
  return {
    apiVersion: 'pulseward/v2',
    kind: 'Monitor',
    metadata: { id: practiceId, name: 'Practice target' },
    spec: {
      check: {
        driver: { type: 'http', config },
        interval: '2s',
        timeout: '1s',
        unhealthyThreshold: 2,
        healthyThreshold: 2,
      },
    },
  }
}
