// recovery/kubernetes/kubernetes.ts: restarts the pods of a workload as `kubectl rollout restart` does, by an
// annotation of the pod template, or sets its number of replicas. An acceptance says that the API server has stored
// the change; controllers of the cluster carry it out afterwards, and an autoscaler may change the replicas again. A
// change that is known from the answer to have no effect (a paused rollout, manual updates) is a rejection.
import { rejected } from '../../platform/action-outcome.ts'
import { type OutboundRequest, sendOutbound } from '../../platform/network/outbound-http.ts'
import { closed, type Infer, oneOf } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { type ConfigMistake, classifyResult, defineRecovery, type RecoveryDriver } from '../driver.ts'
import { classifyResponse } from './classify-response.ts'
import { CannotAccess, type ClusterAccess } from './cluster-access.ts'
import { readKubeconfig } from './kubeconfig.ts'
import { readServiceAccount, type ServiceAccountPlace } from './service-account.ts'

const config = closed({
  namespace: Type.String({
    pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
    description: 'The namespace of the workload.',
  }),
  name: Type.String({
    pattern: '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$',
    description: 'The name of the workload.',
  }),
  kind: Type.Optional(
    oneOf(['deployment', 'statefulset', 'daemonset'], 'What the workload is.', { default: 'deployment' }),
  ),
  action: Type.Optional(
    oneOf(['restart', 'scale'], 'Restart all pods by a rollout, or set the number of replicas.', {
      default: 'restart',
    }),
  ),
  replicas: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10_000, description: 'The number of replicas to scale to.' }),
  ),
  kubeconfig: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4_096,
      description:
        'A kubeconfig file with a token or a client certificate; without it, the service account of the pod that this process runs in.',
    }),
  ),
  context: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'The context of the kubeconfig file; by default its current one.',
    }),
  ),
})

type KubernetesConfig = Infer<typeof config>

export const kubernetes = kubernetesRecovery({
  environment: process.env,
  folder: '/var/run/secrets/kubernetes.io/serviceaccount',
})

/** The driver for a process whose service account is at this place. */
export function kubernetesRecovery(place: ServiceAccountPlace): RecoveryDriver<typeof config> {
  return defineRecovery({
    summary: 'Restarts the pods of a Kubernetes workload by a rollout, or scales it.',
    config,
    inspect: mistakesOf,
    target: ({ namespace, name, kind = 'deployment', context }) =>
      `${kind} ${namespace}/${name}${context === undefined ? '' : ` in ${context}`}`,
    targetKey: ({ namespace, name, kind = 'deployment', kubeconfig, context }) =>
      JSON.stringify([kubeconfig ?? null, context ?? null, namespace, kind, name]),
    async recover(config, { atMs }, run) {
      const { kubeconfig, context = null } = config
      const access =
        kubeconfig === undefined ? await readServiceAccount(place) : await readKubeconfig(kubeconfig, context)
      if (access instanceof CannotAccess) return rejected(access.reason)
      const result = await sendOutbound(run.network, patchRequest(config, access, atMs), run)
      return classifyResult(result, (answer) => classifyResponse(answer, config))
    },
  })
}

function mistakesOf({ action, kind, replicas, kubeconfig, context }: KubernetesConfig): ConfigMistake[] {
  const mistakes: ConfigMistake[] = []
  if (action === 'scale' && replicas === undefined)
    mistakes.push({ path: [], message: 'needs replicas to scale to.' })
  if (action !== 'scale' && replicas !== undefined)
    mistakes.push({ path: ['replicas'], message: 'is for the action scale only.' })
  if (action === 'scale' && kind === 'daemonset')
    mistakes.push({ path: ['action'], message: 'a daemonset has no replicas to scale.' })
  if (context !== undefined && kubeconfig === undefined)
    mistakes.push({ path: ['context'], message: 'is for a kubeconfig only.' })
  return mistakes
}

function patchRequest(config: KubernetesConfig, access: ClusterAccess, atMs: number): OutboundRequest {
  const { namespace, name, kind = 'deployment', action = 'restart', replicas } = config
  const workload = `${access.server}/apis/apps/v1/namespaces/${namespace}/${kind}s/${name}`
  const isScale = action === 'scale'
  return {
    method: 'PATCH',
    url: `${workload}${isScale ? '/scale' : ''}?fieldManager=pulseward`,
    headers: {
      accept: 'application/json',
      'content-type': `application/${isScale ? 'merge-patch' : 'strategic-merge-patch'}+json`,
      ...(access.token === null ? {} : { authorization: `Bearer ${access.token}` }),
    },
    body: JSON.stringify(isScale ? { spec: { replicas } } : restartPatch(atMs)),
    tls: access.tls,
  }
}

function restartPatch(atMs: number): object {
  const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date(atMs).toISOString() }
  return { spec: { template: { metadata: { annotations } } } }
}
