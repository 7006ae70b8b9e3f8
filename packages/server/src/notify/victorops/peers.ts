// notify/victorops/peers.ts: the peers that the victorops notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const key = '558e7ebc-XXXX-XXXX-XXXX-XXXXXXXXXXXX'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({ api_key: credential(key), routing_key: 'database', api_url: url }),
    secrets: [key],
    confirmation: { result: 'success', entity_id: 'pulseward:checkout-api' },
    answers: {
      'saying no in a yes': { kind: 'rejected', status: 200, body: { result: 'failure' } },
      limiting: { kind: 'retry', status: 429, headers: { 'Retry-After': '3' }, retryAfterMs: 3_000 },
      gone: { kind: 'gone', status: 410 },
    },
  })
