// recovery/kubernetes/kubernetes.ts: restarts the pods of a workload as `kubectl rollout restart` does, with an
// annotation of the pod template, or sets its number of replicas. An acceptance means that the API server has stored the
// change; the cluster's controllers carry it out afterwards, and an autoscaler may change the replicas again. A change
// that by the answer has no effect (a paused rollout, manual updates) is a rejection.
import { type ActionOutcome, accepted, rejected, unknown } from '../../platform/action-outcome.ts'
import {
  type OutboundAnswer,
  type OutboundRequest,
  sendOutbound,
} from '../../platform/network/outbound-http.ts'
import { closed, type Infer, oneOf, Secret } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import {
  type ConfigMistake,
  classifyResult,
  defineRecovery,
  isGatewayAnswer,
  type RecoveryDriver,
} from '../driver.ts'
import { CannotAccess, type ClusterAccess } from './cluster-access.ts'
import { parseKubeconfig, readKubeconfig } from './kubeconfig.ts'
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
        'A kubeconfig file with a token or a client certificate; without it, the service account of the pod that this process runs in. v2 gives kubeconfig_content instead.',
    }),
  ),
  kubeconfig_content: Type.Optional(
    Type.Unsafe<string>({
      ...Secret,
      description:
        'A whole kubeconfig as a credential, with its token or certificates in it and no names of files.',
    }),
  ),
  context: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'The context of the kubeconfig; by default its current one.',
    }),
  ),
})

type KubernetesConfig = Infer<typeof config>

export const kubernetes = kubernetesRecovery({
  environment: process.env,
  folder: '/var/run/secrets/kubernetes.io/serviceaccount',
})

/** The driver for a process whose service account is in this place. */
export function kubernetesRecovery(place: ServiceAccountPlace): RecoveryDriver<typeof config> {
  return defineRecovery({
    summary: 'Restarts the pods of a Kubernetes workload by a rollout, or scales it.',
    config,
    inspect: mistakesOf,
    // The service account and this machine's files are rights of the service.
    actsHere: ({ kubeconfig_content }) => kubeconfig_content === undefined,
    target: ({ namespace, name, kind = 'deployment', context }) =>
      `${kind} ${namespace}/${name}${context === undefined ? '' : ` in ${context}`}`,
    targetKey: ({ namespace, name, kind = 'deployment', kubeconfig, kubeconfig_content, context }) =>
      JSON.stringify([kubeconfig_content ?? kubeconfig ?? null, context ?? null, namespace, kind, name]),
    async recover(config, { atMs }, run) {
      const access = await accessOf(config, place)
      if (access instanceof CannotAccess) return rejected(access.reason)
      const result = await sendOutbound(run.network, patchRequest(config, access, atMs), run)
      return classifyResult(result, (answer) => classifyResponse(answer, config))
    },
  })
}

/** The content comes first: with it, nothing of this machine is used, whatever else is given. */
function accessOf(
  config: KubernetesConfig,
  place: ServiceAccountPlace,
): Promise<ClusterAccess | CannotAccess> {
  const { kubeconfig, kubeconfig_content, context = null } = config
  if (kubeconfig_content !== undefined) return parseKubeconfig(kubeconfig_content, context)
  return kubeconfig === undefined ? readServiceAccount(place) : readKubeconfig(kubeconfig, context)
}

function mistakesOf(config: KubernetesConfig): ConfigMistake[] {
  const { action, kind, replicas, kubeconfig, kubeconfig_content, context } = config
  const mistakes: ConfigMistake[] = []
  if (action === 'scale' && replicas === undefined)
    mistakes.push({ path: [], message: 'needs replicas to scale to.' })
  if (action !== 'scale' && replicas !== undefined)
    mistakes.push({ path: ['replicas'], message: 'is for the action scale only.' })
  if (action === 'scale' && kind === 'daemonset')
    mistakes.push({ path: ['action'], message: 'a daemonset has no replicas to scale.' })
  if (kubeconfig !== undefined && kubeconfig_content !== undefined)
    mistakes.push({
      path: ['kubeconfig'],
      message: 'is given in addition to kubeconfig_content; give only one of them.',
    })
  if (context !== undefined && kubeconfig === undefined && kubeconfig_content === undefined)
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

/** Never quotes the answer. */
function classifyResponse(answer: OutboundAnswer, workload: KubernetesConfig): ActionOutcome {
  const { kind = 'deployment', namespace, name, action } = workload
  const { status } = answer
  if (status >= 200 && status <= 299) {
    const idle = action === 'scale' ? null : idleReason(answer)
    return idle === null ? accepted() : rejected(`the ${kind} ${namespace}/${name} ${idle}`)
  }
  switch (status) {
    case 401:
      return rejected('the API server does not know who we are (401)')
    case 403: {
      const resource = action === 'scale' ? `${kind}s/scale` : `${kind}s`
      return rejected(`we may not patch ${resource} in the namespace ${namespace} (403)`)
    }
    case 404:
      return rejected(`there is no ${kind} ${namespace}/${name} (404)`)
    case 504:
      // The API server answers this if storing took too long: the change may have been stored anyway.
      return unknown('the API server answered 504: it does not know whether the change was stored')
    default: {
      if (isGatewayAnswer(status))
        return unknown(`a gateway before the API server answered ${status}: the change may have been stored`)
      const redirect = status >= 300 && status <= 399 ? ', and redirects are not followed' : ''
      return rejected(`the API server answered ${status}${redirect}`)
    }
  }
}

interface WorkloadSpec {
  readonly paused?: unknown
  readonly updateStrategy?: { readonly type?: unknown }
}

/** Why the workload accepts the restart but does nothing; null if it acts, or if the answer was too long to tell. */
function idleReason({ body, isWhole }: OutboundAnswer): string | null {
  const spec = isWhole ? specOf(body) : null
  if (spec?.paused === true) return 'is paused: its pods restart only when it is resumed'
  if (spec?.updateStrategy?.type === 'OnDelete')
    return 'has the update strategy OnDelete: its pods restart only when they are deleted'
  return null
}

function specOf(body: string): WorkloadSpec | null {
  try {
    return (JSON.parse(body) as { spec?: WorkloadSpec } | null)?.spec ?? null
  } catch {
    return null
  }
}
