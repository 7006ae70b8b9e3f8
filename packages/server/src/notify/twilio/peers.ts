// notify/twilio/peers.ts: the peers that the twilio notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const authToken = 'f2d3e4c5b6a7980f1e2d3c4b5a697887'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({
      account_sid: `AC${'0'.repeat(32)}`,
      auth_token: credential(authToken),
      from: '+15005550006',
      to: '+15005550010',
      api_url: url,
    }),
    secrets: [authToken],
    confirmation: { sid: `SM${'0'.repeat(32)}`, status: 'queued' },
    answers: {
      'accepting for later': { kind: 'accepted', status: 201, body: { sid: 'SM1', status: 'queued' } },
      limiting: {
        kind: 'retry',
        status: 429,
        body: { code: 20_429, status: 429 },
        headers: { 'Retry-After': '2' },
        retryAfterMs: 2_000,
      },
      'without the number': { kind: 'gone', status: 400, body: { code: 21_211, status: 400 } },
    },
  })
