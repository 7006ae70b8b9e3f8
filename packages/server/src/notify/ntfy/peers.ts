// notify/ntfy/peers.ts: the peers that the ntfy notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const topic = 'alerts-nobody-can-guess-5f3a'
const token = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({ topic: credential(topic), token: credential(token), api_url: url }),
    secrets: [topic, token],
    confirmation: { id: 'sPs71M8A2T', event: 'message', topic: 'alerts' },
    answers: {
      'another service': { kind: 'rejected', status: 200, body: '<html>Welcome to our guest network</html>' },
      limiting: { kind: 'retry', status: 429, body: { code: 42_901, http: 429 } },
      'out of messages': { kind: 'rejected', status: 429, body: { code: 42_908, http: 429 } },
      gone: { kind: 'gone', status: 410 },
    },
  })
