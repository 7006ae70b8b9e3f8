// notifier-scenarios/webhook.ts: the peers that the webhook notifier meets in its contract.
import type { NotifierScenarios } from '../notifier-contract.ts'
import { httpWorld } from '../outbound-contract/http-peers.ts'
import { expects } from '../outbound-contract/scenarios.ts'
import { answers } from '../targets/http-target.ts'
import { readRequest } from '../targets/received-request.ts'

const key = 'correct-horse-battery-staple'

export async function webhookScenarios(): Promise<NotifierScenarios> {
  const config = (url: string) => ({
    url: `${url}?token=query-secret-of-the-url`,
    headers: { 'X-Key': { credential: 'KEY' } },
  })
  const world = await httpWorld(
    { config, accepted: 'delivered', failingForNow: 'retry', endless: 'delivered' },
    async (target) => ({
      'accepting without a word': expects(
        'delivered',
        config(await target(answers({ status: 204, body: '' }))),
      ),
      limiting: expects(
        'retry',
        config(await target(answers({ status: 429, headers: { 'Retry-After': '12' } }))),
        { waitMs: 12_000 },
      ),
      gone: expects('gone', config(await target(answers({ status: 410 })))),
    }),
    { credentials: new Map([['KEY', key]]), secrets: [key, 'query-secret-of-the-url'] },
  )
  return {
    ...world,
    // Names stand in the body as they are, for a program; only the summary is for people.
    lastShown: () => JSON.parse(readRequest(world.accepting.requests.at(-1)!).body).summary,
    markup: null,
  }
}
