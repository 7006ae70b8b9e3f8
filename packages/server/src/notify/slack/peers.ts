// notify/slack/peers.ts: the peers that the slack notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const token = 'B00/XXXXXXXXXXXXXXXXXXXXXXXX'

export const startPeers = () =>
  httpProviderPeers({
    // The whole hook is the secret.
    config: (url, credential) => ({ hook: credential(`${url}/services/${token}`) }),
    secrets: [token],
    confirmation: 'ok',
    answers: {
      'another service': { kind: 'rejected', status: 200, body: '<html>Welcome to our guest network</html>' },
      'limiting by header': {
        kind: 'retry',
        status: 429,
        headers: { 'Retry-After': '30' },
        retryAfterMs: 30_000,
      },
      'limiting by body': {
        kind: 'retry',
        status: 429,
        body: { retry_after: 3.5, ok: false },
        retryAfterMs: 3_500,
      },
      'without the hook': { kind: 'gone', status: 404, body: 'no_service' },
      'with a dead token': { kind: 'gone', status: 403, body: 'invalid_token' },
      'with an archived channel': { kind: 'gone', status: 410, body: 'channel_is_archived' },
      'that prohibits it': { kind: 'rejected', status: 403, body: 'action_prohibited' },
    },
    markup: /<(?!https:\/\/status\.test\/)/,
  })
