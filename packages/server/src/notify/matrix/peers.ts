// notify/matrix/peers.ts: the peers that the matrix notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const token = 'syt_cHVsc2V3YXJk_XXXXXXXXXXXXXXXXXXXX_000000'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({
      access_token: credential(token),
      room_id: '!ops:shop.test',
      api_url: url,
    }),
    secrets: [token],
    confirmation: { event_id: '$YUwRidLecu:shop.test' },
    answers: {
      'another service': { kind: 'rejected', status: 200, body: '<html>Welcome to our guest network</html>' },
      limiting: {
        kind: 'retry',
        status: 429,
        body: { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 2_500 },
        retryAfterMs: 2_500,
      },
      'without the room': {
        kind: 'gone',
        status: 403,
        body: { errcode: 'M_FORBIDDEN', error: 'not in room' },
      },
    },
  })
