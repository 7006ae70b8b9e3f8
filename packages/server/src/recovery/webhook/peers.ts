// recovery/webhook/peers.ts: the peers that the webhook recovery meets in its contract.
import { expects, httpPeers, type OutboundPeers } from '@pulseward/testing/recovery'
import { answers } from '@pulseward/testing/targets'

const key = 'correct-horse-battery-staple'

export async function startPeers(): Promise<OutboundPeers> {
  const config = (url: string): object => ({
    url: `${url}?token=query-secret-of-the-url`,
    headers: { Authorization: { credential: 'KEY' } },
  })
  return await httpPeers(
    { config, failingForNow: 'rejected', endless: 'accepted' },
    async (target) => ({
      'accepting for later': expects('accepted', config(await target(answers({ status: 202, body: '' })))),
      missing: expects('rejected', config(await target(answers({ status: 404 })))),
    }),
    { credentials: new Map([['KEY', key]]), secrets: [key, 'query-secret-of-the-url'] },
  )
}
