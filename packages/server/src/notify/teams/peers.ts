// notify/teams/peers.ts: the peers that the teams notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const signature = 'sig=XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({
      webhook_url: credential(`${url}/workflows/0/paths/invoke?${signature}`),
    }),
    secrets: [signature],
    confirmation: null,
    answers: {
      'accepting for later': { kind: 'accepted', status: 202 },
      limiting: { kind: 'retry', status: 429, headers: { 'Retry-After': '7' }, retryAfterMs: 7_000 },
      'an old connector that fails': {
        kind: 'retry',
        status: 200,
        body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429',
      },
      'without the workflow': { kind: 'gone', status: 404, body: { error: { code: 'WorkflowNotFound' } } },
    },
  })
