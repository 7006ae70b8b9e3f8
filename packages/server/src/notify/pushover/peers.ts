// notify/pushover/peers.ts: the peers that the pushover notifier meets in its contract.
import { httpProviderPeers } from '@pulseward/testing/notify'

const token = 'azGDORePK8gMaC0QOYAMyEEuzJnyUi'
const user = 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG'

export const startPeers = () =>
  httpProviderPeers({
    config: (url, credential) => ({ token: credential(token), user: credential(user), api_url: url }),
    secrets: [token, user],
    confirmation: { status: 1, request: '647d2300-702c-4b38-8b2f-d56326ae460b' },
    answers: {
      'saying no in a yes': { kind: 'rejected', status: 200, body: { status: 0 } },
      'out of messages': { kind: 'rejected', status: 429, body: { status: 0 } },
      'failing with words': { kind: 'retry', status: 500, retryAfterMs: 5_000 },
      'without the user': { kind: 'gone', status: 400, body: { user: 'invalid', status: 0 } },
    },
  })
