// notify/pagerduty/peers.ts: the peers that the pagerduty notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const key = '0123456789abcdef0123456789abcdef'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({ routing_key: credential(key), api_url: url }),
    secrets: [key],
    confirmation: { status: 'success', message: 'Event processed', dedup_key: 'pulseward:checkout-api' },
    answers: {
      'another service': { kind: 'rejected', status: 200, body: '<html>Welcome to our guest network</html>' },
      limiting: { kind: 'retry', status: 429, body: { status: 'throttle exceeded' }, retryAfterMs: 120_000 },
      'without the integration': {
        kind: 'gone',
        status: 400,
        body: { status: 'invalid event', errors: ['Invalid routing key'] },
      },
    },
  })
