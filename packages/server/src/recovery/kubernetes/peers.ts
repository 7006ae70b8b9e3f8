// recovery/kubernetes/peers.ts: the API servers that the kubernetes recovery meets in its contract: stand-ins
// that answer with the statuses that the Kubernetes API documents, each behind a separate kubeconfig file.
import { temporaryFolder } from '@pulseward/testing'
import { expects, httpPeers, type OutboundPeers } from '@pulseward/testing/recovery'
import { answers, certificates, HttpTarget } from '@pulseward/testing/targets'

const token = 'bearer-token-of-the-cluster'

/** A kubeconfig is JSON as well as YAML. */
export function kubeconfigOf(cluster: object, user: object = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'shop',
    contexts: [{ name: 'shop', context: { cluster: 'shop', user: 'pulseward' } }],
    clusters: [{ name: 'shop', cluster }],
    users: [{ name: 'pulseward', user }],
  })
}

export async function startPeers(): Promise<OutboundPeers> {
  await using owned = new AsyncDisposableStack()
  const folder = owned.use(temporaryFolder())
  let files = 0
  const behind = (content: string): object => ({
    namespace: 'shop',
    name: 'checkout',
    kubeconfig: folder.write(`kubeconfig-${files++}`, content),
  })
  const config = (url: string): object => behind(kubeconfigOf({ server: url }))
  const secure = owned.use(await HttpTarget.start({ tls: { identity: certificates.good } }))
  const plain = owned.use(await HttpTarget.start())
  secure.behave(answers({ status: 403, body: `the user ${token} may not` }))
  const peers = owned.use(
    await httpPeers(
      { config, failingForNow: 'rejected', endless: 'accepted' },
      async (target) => ({
        missing: expects('rejected', config(await target(answers({ status: 404 })))),
        'slow to store': expects('unknown', config(await target(answers({ status: 504 })))),
        paused: expects('rejected', config(await target(answers({ body: '{"spec":{"paused":true}}' })))),
        forbidding: expects(
          'rejected',
          behind(
            kubeconfigOf(
              {
                server: secure.url(''),
                'certificate-authority-data': Buffer.from(certificates.authority).toString('base64'),
              },
              { token },
            ),
          ),
        ),
        'with a plugin': expects(
          'rejected',
          behind(kubeconfigOf({ server: await target(answers()) }, { exec: { command: token } })),
        ),
        'behind a credential': expects('accepted', {
          namespace: 'shop',
          name: 'checkout',
          kubeconfig_content: { credential: 'KUBECONFIG' },
        }),
        'without a file': expects('rejected', {
          namespace: 'shop',
          name: 'checkout',
          kubeconfig: folder.path('none'),
        }),
      }),
      {
        credentials: new Map([['KUBECONFIG', kubeconfigOf({ server: plain.url('') })]]),
        secrets: [token],
      },
    ),
  )
  const opened = owned.move()
  return {
    ...peers,
    openConnections: () => peers.openConnections() + secure.openSockets + plain.openSockets,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
