// notify/datadog/peers.ts: the peers that the datadog notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const key = '9775a026f1ca7d1c6c5af9d94d9595a4'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({ api_key: credential(key), api_url: url }),
    secrets: [key],
    confirmation: { status: 'ok', event: { id: 1 } },
    answers: {
      'another service': { kind: 'rejected', status: 200, body: '<html>Welcome to our guest network</html>' },
      limiting: { kind: 'retry', status: 429, headers: { 'X-RateLimit-Reset': '42' }, retryAfterMs: 42_000 },
      'with another key': { kind: 'rejected', status: 403, body: { errors: ['Forbidden'] } },
      gone: { kind: 'gone', status: 410 },
    },
  })
