// recovery-scenarios/webhook.ts: the peers that the webhook recovery meets in its contract.
import { httpWorld } from '../outbound-contract/http-peers.ts'
import { expects, type OutboundScenarios } from '../outbound-contract/scenarios.ts'
import { answers } from '../targets/http-target.ts'

const key = 'correct-horse-battery-staple'

export async function webhookScenarios(): Promise<OutboundScenarios> {
  const config = (url: string): object => ({
    url: `${url}?token=query-secret-of-the-url`,
    headers: { Authorization: { credential: 'KEY' } },
  })
  return await httpWorld(
    { config, accepted: 'accepted', failingForNow: 'rejected', endless: 'accepted' },
    async (target) => ({
      'accepting for later': expects('accepted', config(await target(answers({ status: 202, body: '' })))),
      missing: expects('rejected', config(await target(answers({ status: 404 })))),
    }),
    { credentials: new Map([['KEY', key]]), secrets: [key, 'query-secret-of-the-url'] },
  )
}
