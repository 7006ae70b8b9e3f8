// notify/slack/peers.ts: the peers that the slack notifier meets in its contract.
import type { NotifierPeers } from '@pulseward/testing/notify'
import { type Encounters, expects, httpPeers } from '@pulseward/testing/notify'
import { answers, type Behaviour, readRequest, sends } from '@pulseward/testing/targets'

const token = 'B00/XXXXXXXXXXXXXXXXXXXXXXXX'

export async function startPeers(): Promise<NotifierPeers> {
  const credentials = new Map<string, string>()
  // The whole hook is the secret, so every peer has a credential of its own.
  const config = (url: string): object => {
    const credential = `hook-${credentials.size}`
    credentials.set(credential, `${url}/services/${token}`)
    return { hook: { credential } }
  }
  const peers = await httpPeers(
    { config, accepted: 'accepted', failingForNow: 'retry', endless: 'unknown' },
    (target) => answersOfSlack(config, target),
    { credentials, secrets: [token] },
  )
  return {
    ...peers,
    lastShown: () => stringsIn(readRequest(peers.accepting.requests.at(-1)!).body),
    markup: /<(?!https:\/\/status\.test\/)/,
  }
}

async function answersOfSlack(
  config: (url: string) => object,
  target: (behaviour: Behaviour) => Promise<string>,
): Promise<Encounters> {
  const saying = async (status: number, body: string, headers = {}): Promise<object> =>
    config(await target(answers({ status, body, headers })))
  const limitedBody = '{"retry_after":3.5,"ok":false}'
  const cutOff = sends(['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n'], 'close')
  return {
    'somebody else': expects('rejected', await saying(200, '<html>Welcome to our guest network</html>')),
    'broken off': expects('unknown', config(await target(cutOff))),
    'limiting by header': expects('retry', await saying(429, '', { 'Retry-After': '30' }), {
      retryAfterMs: 30_000,
    }),
    'limiting by body': expects('retry', await saying(429, limitedBody), { retryAfterMs: 3_500 }),
    'without the hook': expects('gone', await saying(404, 'no_service')),
    'with a dead token': expects('gone', await saying(403, 'invalid_token')),
    'with an archived channel': expects('gone', await saying(410, 'channel_is_archived')),
    'that prohibits it': expects('rejected', await saying(403, 'action_prohibited')),
  }
}

/** Every text of the message, a line each. */
function stringsIn(body: string): string {
  const strings: string[] = []
  JSON.parse(body, (_, value: unknown) => {
    if (typeof value === 'string') strings.push(value)
    return value
  })
  return strings.join('\n')
}
