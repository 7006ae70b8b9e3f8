// notify/webhook/peers.ts: the peers that the webhook notifier meets in its contract.
import { expects, httpPeers, type NotifierPeers } from '@pulseward/testing/notify'
import { answers, readRequest } from '@pulseward/testing/targets'

const key = 'correct-horse-battery-staple'

export async function startPeers(): Promise<NotifierPeers> {
  const config = (url: string) => ({
    url: `${url}?token=query-secret-of-the-url`,
    headers: { 'X-Key': { credential: 'KEY' } },
  })
  const peers = await httpPeers(
    { config, failingForNow: 'retry', endless: 'accepted' },
    async (target) => ({
      'accepting without a word': expects(
        'accepted',
        config(await target(answers({ status: 204, body: '' }))),
      ),
      limiting: expects(
        'retry',
        config(await target(answers({ status: 429, headers: { 'Retry-After': '12' } }))),
        { retryAfterMs: 12_000 },
      ),
      gone: expects('gone', config(await target(answers({ status: 410 })))),
    }),
    { credentials: new Map([['KEY', key]]), secrets: [key, 'query-secret-of-the-url'] },
  )
  return {
    ...peers,
    // The body contains names unchanged, for programs; only the summary is for people.
    lastShown: () => JSON.parse(readRequest(peers.accepting.requests.at(-1) ?? '').body).summary,
    markup: null,
  }
}
