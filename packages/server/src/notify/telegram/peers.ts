// notify/telegram/peers.ts: the peers that the telegram notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const token = '123456789:AAXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({ bot_token: credential(token), chat_id: -100_123, api_url: url }),
    secrets: [token],
    confirmation: { ok: true, result: { message_id: 7 } },
    answers: {
      'another service': { kind: 'rejected', status: 200, body: '<html>Welcome to our guest network</html>' },
      limiting: {
        kind: 'retry',
        status: 429,
        body: { ok: false, error_code: 429, parameters: { retry_after: 11 } },
        retryAfterMs: 11_000,
      },
      'without the chat': {
        kind: 'gone',
        status: 403,
        body: { ok: false, error_code: 403, description: 'Forbidden: bot was kicked from the group chat' },
      },
    },
  })
