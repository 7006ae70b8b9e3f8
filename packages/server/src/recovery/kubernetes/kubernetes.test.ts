// The API servers here are stand-ins that answer as the Kubernetes API documents.

import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { mistakesIn } from '@pulseward/testing/fleet'
import { recoverOnce } from '@pulseward/testing/recovery'
import { answers, certificates, HttpTarget, readRequest } from '@pulseward/testing/targets'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import { kubernetes, kubernetesRecovery } from './kubernetes.ts'
import { kubeconfigOf } from './peers.ts'

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

const nowhere = { environment: {}, folder: '/nonexistent' }

async function act(
  config: object,
  { place = nowhere as Parameters<typeof kubernetesRecovery>[0], allowLoopback = true } = {},
): Promise<ActionOutcome> {
  const workload = { namespace: 'shop', name: 'checkout', ...config }
  return await recoverOnce(kubernetesRecovery(place), workload, { allowLoopback })
}

function kubeconfig(cluster: object, user: object = {}): { kubeconfig: string } {
  return { kubeconfig: folder.write('kubeconfig', kubeconfigOf(cluster, user)) }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('the kubernetes recovery', () => {
  it('restarts a rollout by the annotation that kubectl uses', async () => {
    await using server = await HttpTarget.start()
    const file = kubeconfig({ server: server.url('/k8s/clusters/c-1/') })
    expect(await act({ ...file, kind: 'statefulset' })).toEqual({ kind: 'accepted' })
    const { method, path, headers, body } = readRequest(server.requests[0]!)
    expect([method, path, headers.get('content-type')]).toEqual([
      'PATCH',
      '/k8s/clusters/c-1/apis/apps/v1/namespaces/shop/statefulsets/checkout?fieldManager=pulseward',
      'application/strategic-merge-patch+json',
    ])
    const annotations = { 'kubectl.kubernetes.io/restartedAt': '2026-01-31T08:15:00.000Z' }
    expect(JSON.parse(body)).toEqual({ spec: { template: { metadata: { annotations } } } })
    expect(headers.has('authorization')).toBe(false)
  })

  it('scales by the subresource', async () => {
    await using server = await HttpTarget.start()
    const file = kubeconfig({ server: server.url('') })
    expect(await act({ ...file, action: 'scale', replicas: 0 })).toEqual({ kind: 'accepted' })
    const { path, headers, body } = readRequest(server.requests[0]!)
    expect([path, headers.get('content-type'), body]).toEqual([
      '/apis/apps/v1/namespaces/shop/deployments/checkout/scale?fieldManager=pulseward',
      'application/merge-patch+json',
      '{"spec":{"replicas":0}}',
    ])
  })

  it('uses the service account of its pod', async () => {
    await using server = await HttpTarget.start({ tls: { identity: certificates.good } })
    folder.write('token', 'token-of-the-pod\n')
    folder.write('ca.crt', certificates.authority)
    const environment = {
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String(server.port),
    }
    expect(await act({}, { place: { environment, folder: folder.root } })).toEqual({ kind: 'accepted' })
    expect(readRequest(server.requests[0]!).headers.get('authorization')).toBe('Bearer token-of-the-pod')
  })

  it('says so if it does not run in a pod, or in one without a service account', async () => {
    expect(await act({})).toEqual({
      kind: 'rejected',
      reason: 'this process does not run in a pod of a Kubernetes cluster; name a kubeconfig',
    })
    const place = { environment: { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, folder: '/nonexistent' }
    expect(await act({}, { place })).toEqual({
      kind: 'rejected',
      reason: expect.stringMatching(/^the file \/nonexistent\/token cannot be used: /),
    })
  })

  it('authenticates by the client certificate of a kubeconfig, from data or from files beside it', async () => {
    const tls = { identity: certificates.good, clientAuthority: certificates.authority }
    await using server = await HttpTarget.start({ tls })
    const { certificate, key } = certificates.client
    const data = { 'certificate-authority-data': base64(certificates.authority), server: server.url('') }
    const user = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) }
    expect(await act(kubeconfig(data, user))).toEqual({ kind: 'accepted' })
    folder.write('pki/ca.pem', certificates.authority)
    folder.write('pki/client.pem', certificate)
    folder.write('pki/key.pem', key)
    const files = kubeconfig(
      { 'certificate-authority': 'pki/ca.pem', server: server.url('') },
      { 'client-certificate': 'pki/client.pem', 'client-key': folder.path('pki/key.pem') },
    )
    expect(await act(files)).toEqual({ kind: 'accepted' })
  })

  it('acts by a kubeconfig that is given as a whole, and then opens no file', async () => {
    await using server = await HttpTarget.start()
    const given = { kubeconfig_content: kubeconfigOf({ server: server.url('') }), kubeconfig: '/nonexistent' }
    expect(await act(given)).toEqual({ kind: 'accepted' })
  })

  it('obeys the network policy', async () => {
    await using server = await HttpTarget.start()
    expect(await act(kubeconfig({ server: server.url('') }), { allowLoopback: false })).toMatchObject({
      kind: 'rejected',
      reason: expect.stringContaining('network.allow_loopback_notify'),
    })
    expect(server.acceptedSockets).toBe(0)
  })

  it.each([
    [401, 'the API server does not know who we are (401)'],
    [403, 'we may not patch deployments in the namespace shop (403)'],
    [404, 'there is no deployment shop/checkout (404)'],
    [409, 'the API server answered 409'],
    [503, 'the API server answered 503'],
  ])('rejects for a %s', async (status, reason) => {
    await using server = await HttpTarget.start()
    server.behave(answers({ status, body: '{"message":"inner words"}' }))
    expect(await act(kubeconfig({ server: server.url('') }))).toEqual({ kind: 'rejected', reason })
  })

  it.each([502, 504])('does not know the outcome of a change that was answered with %i', async (status) => {
    await using server = await HttpTarget.start()
    server.behave(answers({ status }))
    expect(await act(kubeconfig({ server: server.url('') }))).toMatchObject({ kind: 'unknown' })
  })

  it.each([
    ['deployment', { paused: true }, /is paused: its pods restart only when it is resumed$/],
    ['daemonset', { updateStrategy: { type: 'OnDelete' } }, /has the update strategy OnDelete/],
  ])('rejects a restart that a %s will not carry out', async (kind, spec, reason) => {
    await using server = await HttpTarget.start()
    server.behave(answers({ body: JSON.stringify({ spec }) }))
    expect(await act({ ...kubeconfig({ server: server.url('') }), kind })).toEqual({
      kind: 'rejected',
      reason: expect.stringMatching(reason),
    })
  })

  it.each([
    ['{}', 'is missing'],
    ['{ namespace: shop, name: Checkout }', 'name: '],
    ['{ namespace: shop/../kube-system, name: checkout }', 'namespace: '],
    ['{ namespace: shop, name: checkout, action: scale }', 'config: needs replicas to scale to.'],
    ['{ namespace: shop, name: checkout, replicas: 2 }', 'replicas: is for the action scale only.'],
    ['{ namespace: shop, name: checkout, context: a }', 'context: is for a kubeconfig only.'],
    [
      '{ namespace: shop, name: checkout, kubeconfig: /a, kubeconfig_content: { credential: a } }',
      'kubeconfig: is given in addition to kubeconfig_content',
    ],
    [
      '{ namespace: shop, name: checkout, kubeconfig_content: open }',
      'kubeconfig_content: a secret must not',
    ],
    [
      '{ namespace: shop, name: logs, kind: daemonset, action: scale, replicas: 2 }',
      'action: a daemonset has no replicas to scale.',
    ],
  ])('refuses %s in a fleet file', async (config, words) => {
    const fleet = `monitors: [{ name: a, check: { type: tcp, config: { host: a.test, port: 1 } }, recovery: { type: kubernetes, config: ${config} } }]`
    expect(await mistakesIn(fleet)).toContainEqual(expect.stringContaining(words))
  })

  it('shows the workload, and tells apart the same name in two clusters', () => {
    const workload = { namespace: 'shop', name: 'checkout' }
    expect(kubernetes.target({ ...workload, kubeconfig: '/k', context: 'berlin' })).toBe(
      'deployment shop/checkout in berlin',
    )
    expect(kubernetes.targetKey({ ...workload, kubeconfig: '/k', context: 'berlin' })).not.toBe(
      kubernetes.targetKey({ ...workload, kubeconfig: '/k', context: 'paris' }),
    )
  })
})
