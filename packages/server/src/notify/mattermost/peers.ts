// notify/mattermost/peers.ts: the peers that the mattermost notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const key = 'hooks/xxxxxxxxxxxxxxxxxxxxxxxxxx'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({ webhook_url: credential(`${url}/${key}`) }),
    secrets: [key],
    confirmation: 'ok',
    markup: /(?<!\\)[[\]|]|<(?!\u200b)/,
    answers: {
      'another service': { kind: 'rejected', status: 200, body: '<html>Welcome to our guest network</html>' },
      limiting: { kind: 'retry', status: 429, headers: { 'Retry-After': '1' }, retryAfterMs: 1_000 },
      'without the webhook': {
        kind: 'gone',
        status: 400,
        body: { id: 'web.incoming_webhook.invalid.app_error', status_code: 400 },
      },
    },
  })
