// notify/alertmanager/peers.ts: the peers that the alertmanager notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const password = 'Basic Y29ycmVjdDpob3JzZQ=='

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({ api_url: url, headers: { Authorization: credential(password) } }),
    secrets: [password],
    confirmation: null,
    answers: {
      limiting: { kind: 'retry', status: 429, headers: { 'Retry-After': '6' }, retryAfterMs: 6_000 },
      gone: { kind: 'gone', status: 410 },
    },
  })
