// v2/examples/trials.ts: a check and a notification that are tried before they are saved.
import type { DriverConfig } from '../wire/driver-config.ts'
import type { CheckTrial, CheckTrialRequest, NotificationTrial } from '../wire/trial.ts'

const draft: CheckTrialRequest = {
  driver: { type: 'http', config: { url: 'https://shop.test/health', expect: { status: [200] } } },
  timeout: '10s',
}

const seen: CheckTrial = {
  outcome: 'success',
  latencyMs: 84.2,
  phases: [
    { phase: 'resolve', atMs: 3.1 },
    { phase: 'connect', atMs: 21.7 },
    { phase: 'tls', atMs: 60.3 },
    { phase: 'first_byte', atMs: 83.9 },
  ],
  observations: [
    { name: 'address', seen: '203.0.113.7:443' },
    { name: 'certificate issuer', seen: 'Example Authority' },
    { name: 'status', seen: '200', expected: '200', met: true },
  ],
}

export const trialExamples = {
  CheckTrialRequest: draft,
  CheckTrial: seen,
  DriverConfig: { type: 'webhook', config: { url: 'https://hooks.test/ops' } } satisfies DriverConfig,
  NotificationTrial: { outcome: 'delivered' } satisfies NotificationTrial,
}
