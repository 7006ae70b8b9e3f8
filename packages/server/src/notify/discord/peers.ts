// notify/discord/peers.ts: the peers that the discord notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const token = 'webhooks/1234567890/XXXXXXXXXXXXXXXXXXXXXXXX'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({ webhook_url: credential(`${url}/api/${token}`) }),
    secrets: [token],
    confirmation: { id: '1122334455', type: 0 },
    markup: /(?<!\\)[[\]|]|<(?!\u200b)/,
    answers: {
      'accepting without a word': { kind: 'accepted', status: 204 },
      'another service': { kind: 'rejected', status: 200, body: '<html>Welcome to our guest network</html>' },
      limiting: {
        kind: 'retry',
        status: 429,
        body: { retry_after: 1.337, global: false },
        retryAfterMs: 1_337,
      },
      'without the webhook': {
        kind: 'gone',
        status: 404,
        body: { code: 10_015, message: 'Unknown Webhook' },
      },
    },
  })
