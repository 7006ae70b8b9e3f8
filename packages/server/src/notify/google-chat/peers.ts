// notify/google-chat/peers.ts: the peers that the google_chat notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const query = 'key=XXXXXXXXXXXXXXXXXXXX&token=YYYYYYYYYYYYYYYYYYYY'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({ webhook_url: credential(`${url}/v1/spaces/AAAA/messages?${query}`) }),
    secrets: [query],
    confirmation: { name: 'spaces/AAAA/messages/BBBB' },
    markup: /<(?!\u200b)/,
    answers: {
      'another service': { kind: 'rejected', status: 200, body: '<html>Welcome to our guest network</html>' },
      limiting: { kind: 'retry', status: 429, body: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } } },
      'without the space': { kind: 'gone', status: 404, body: { error: { code: 404, status: 'NOT_FOUND' } } },
    },
  })
