// notify/gotify/peers.ts: the peers that the gotify notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const token = 'AWp7K9aBcDeFgHi'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({ token: credential(token), api_url: url }),
    secrets: [token],
    confirmation: { id: 25, appid: 5 },
    answers: {
      'another service': { kind: 'rejected', status: 200, body: '<html>Welcome to our guest network</html>' },
      limiting: { kind: 'retry', status: 429, headers: { 'Retry-After': '4' }, retryAfterMs: 4_000 },
      'with another token': {
        kind: 'rejected',
        status: 401,
        body: { error: 'Unauthorized', errorCode: 401 },
      },
      gone: { kind: 'gone', status: 410 },
    },
  })
