// notify/opsgenie/peers.ts: the peers that the opsgenie notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const key = 'eb243592-faa2-4ba2-a551q-1afdf565c889'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({ api_key: credential(key), api_url: url }),
    secrets: [key],
    confirmation: null,
    answers: {
      'accepting for later': {
        kind: 'accepted',
        status: 202,
        body: { result: 'Request will be processed' },
      },
      limiting: {
        kind: 'retry',
        status: 429,
        headers: { 'X-RateLimit-State': 'THROTTLED', 'X-RateLimit-Period-In-Sec': '60' },
        retryAfterMs: 60_000,
      },
      'with another key': {
        kind: 'rejected',
        status: 403,
        body: { message: 'Your account is not authorized' },
      },
      gone: { kind: 'gone', status: 410 },
    },
  })
