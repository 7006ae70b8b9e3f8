// recovery/aws/peers.ts: the endpoints that the aws recovery meets in its contract: stand-ins that answer with
// documents of the EC2 Query API, and gateways that do not.
import { expects, httpPeers, type OutboundPeers } from '@pulseward/testing/recovery'
import { answers, sendsEndlessBody } from '@pulseward/testing/targets'

const secrets = ['AKIAIOSFODNN7SECRET', 'secret-of-the-access-key', 'session-token-of-a-role']

export const rebootedDocument = `<?xml version="1.0" encoding="UTF-8"?>
<RebootInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
    <requestId>59dbff89-35bd-4eac-99ed-be587EXAMPLE</requestId>
    <return>true</return>
</RebootInstancesResponse>`

export function errorDocument(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Response><Errors><Error><Code>${code}</Code><Message>about ${secrets.join(' ')}</Message></Error></Errors><RequestID>ea966190-f9aa-478e-9ede-example</RequestID></Response>`
}

export async function startPeers(): Promise<OutboundPeers> {
  const config = (url: string): object => ({
    region: 'eu-central-1',
    instance_id: 'i-0123456789abcdef0',
    access_key_id: { credential: 'ID' },
    secret_access_key: { credential: 'SECRET' },
    session_token: { credential: 'TOKEN' },
    endpoint: new URL(url).origin,
  })
  const [id, secret, token] = secrets as [string, string, string]
  return await httpPeers(
    {
      config,
      failingForNow: 'rejected',
      endless: 'unknown',
      answer: rebootedDocument,
    },
    async (target) => {
      const refusing = async (status: number, code: string) =>
        expects('rejected', config(await target(answers({ status, body: errorDocument(code) }))))
      return {
        missing: await refusing(400, 'InvalidInstanceID.NotFound'),
        limiting: await refusing(503, 'RequestLimitExceeded'),
        'failing for now': await refusing(500, 'InternalError'),
        'a gateway that lost it': expects('unknown', config(await target(answers({ status: 502 })))),
        'no EC2': expects('unknown', config(await target(answers({ body: '<html>hello</html>' })))),
        'endless after all': expects('unknown', config(await target(sendsEndlessBody()))),
      }
    },
    {
      credentials: new Map([
        ['ID', id],
        ['SECRET', secret],
        ['TOKEN', token],
      ]),
      secrets,
    },
  )
}
