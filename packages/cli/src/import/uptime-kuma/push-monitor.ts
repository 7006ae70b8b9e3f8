// import/uptime-kuma/push-monitor.ts: a monitor that waits for signals. Uptime Kuma calls it down when none came for the
// interval and then for each retry.
import { asDuration } from '../durations.ts'
import { keyOf } from '../push-check.ts'
import type { CheckSource } from './check-source.ts'

const defaultIntervalSeconds = 60

export function pushMonitor({ fields, owner, secrets }: CheckSource): object {
  const seconds = Math.max(1, fields.number('interval') || defaultIntervalSeconds)
  const retries = fields.number('maxretries') ?? 0
  const retrySeconds = fields.number('retry_interval') || seconds
  const grace = retries > 0 ? { grace: asDuration(Math.max(1, retries * retrySeconds) * 1_000) } : {}
  fields.pass('timeout')
  const key = keyOf({ field: 'push_token', text: fields.text('push_token') }, owner, fields, secrets)
  return { every: asDuration(seconds * 1_000), ...grace, key }
}
