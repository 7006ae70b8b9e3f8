// scripts/deploy/manifest-rules.ts: what must be true of the chart's objects whatever the values are. Each
// rule returns what is wrong, so that a test can also show that it notices a defect.
import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { load } from 'js-yaml'
import { readText } from './deployed-files.ts'
import { containerOf, type Manifest, ofKind, podOf, statefulSetOf } from './manifests.ts'

export interface Given {
  /** Objects that the values name and the chart does not make. */
  readonly existing: readonly string[]
  /** Values that must not appear outside of a Secret. */
  readonly secrets: readonly string[]
}

type ManifestRule = (manifests: readonly Manifest[], given: Given) => string[]

/** The problems whose facts do not hold. */
function unmet(facts: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(facts).flatMap(([fact, holds]) => (holds ? [] : [`not so: ${fact}`]))
}

export const manifestRules = {
  'the pod has no rights on its node': (manifests) => {
    const { securityContext: pod, ...spec } = podOf(manifests)
    const containers = [containerOf(manifests), ...(spec.initContainers ?? [])]
    const each = (holds: (context: Readonly<Record<string, unknown>>) => boolean) =>
      containers.every(({ securityContext }) => holds(securityContext))
    const words = JSON.stringify(spec)
    return unmet({
      'it does not run as root': pod['runAsNonRoot'] === true && pod['runAsUser'] === 10_001,
      'its group is its own': pod['runAsGroup'] === 10_001 && pod['fsGroup'] === 10_001,
      'system calls are filtered': isDeepStrictEqual(pod['seccompProfile'], { type: 'RuntimeDefault' }),
      'its root is read-only': each((context) => context['readOnlyRootFilesystem'] === true),
      'it gains no rights': each((context) => context['allowPrivilegeEscalation'] === false),
      'it has no capabilities': each((context) =>
        isDeepStrictEqual(context['capabilities'], { drop: ['ALL'] }),
      ),
      'it shares nothing with the node': !/"(hostNetwork|hostPID|hostIPC|hostPath|privileged)":/.test(words),
    })
  },

  'one process owns the store': (manifests) => {
    const set = statefulSetOf(manifests)
    const { fsGroupChangePolicy } = podOf(manifests).securityContext
    return unmet({
      'there is at most one pod, unless they share a PostgreSQL':
        set.replicas <= 1 || (variableOf(manifests, 'PULSEWARD_STORE')?.startsWith('postgres') ?? false),
      'private files stay private when the volume is mounted again': fsGroupChangePolicy === 'OnRootMismatch',
      'it has more time to stop than it takes': podOf(manifests).terminationGracePeriodSeconds >= 15,
      'no variable of a Service is taken for a setting': podOf(manifests).enableServiceLinks === false,
    })
  },

  'of several pods one is active': (manifests) => {
    const { replicas, podManagementPolicy, updateStrategy, template } = statefulSetOf(manifests)
    const [service] = ofKind(manifests, 'Service').map(({ spec }) => spec as ServiceSpec)
    const budgets = ofKind(manifests, 'PodDisruptionBudget').map(({ spec }) => spec as BudgetSpec)
    const isAlone = replicas <= 1
    return unmet({
      'no pod waits until another one is ready': podManagementPolicy === 'Parallel',
      'no update waits for a pod that stands by': isAlone || updateStrategy?.type === 'OnDelete',
      'the Service leads to the ready one, or to the only one': service!.publishNotReadyAddresses === isAlone,
      'the Service knows soon which one is ready':
        isAlone || (containerOf(manifests).readinessProbe.periodSeconds ?? 10) <= 10,
      'a drain evicts those that stand by, and not the active one': budgets.every(
        ({ minAvailable, unhealthyPodEvictionPolicy, selector }) =>
          !isAlone &&
          minAvailable === 1 &&
          unhealthyPodEvictionPolicy === 'AlwaysAllow' &&
          Object.entries(selector.matchLabels).every(
            ([key, value]) => template.metadata.labels[key] === value,
          ),
      ),
      'they have the same key of credentials':
        isAlone || settingIsNext(manifests) === (podOf(manifests).initContainers ?? []).length > 0,
    })
  },

  'what is written lies on volumes': (manifests) => {
    const { volumeMounts } = containerOf(manifests)
    const settingOf = (name: string) => variableOf(manifests, name) ?? ''
    const places = volumeMounts.map(({ mountPath }) => mountPath)
    const isBelow = (path: string) => places.some((place) => path.startsWith(`${place}/`))
    const key = settingOf('PULSEWARD_CREDENTIALS_KEY_FILE') || `${settingOf('PULSEWARD_DATA')}.key`
    return unmet({
      'the store is in a folder of its volume': isBelow(settingOf('PULSEWARD_DATA')),
      'the key file is on a volume': isBelow(key),
      'the principals are on a volume': isBelow(
        settingOf('PULSEWARD_PRINCIPALS_FILE') || `${settingOf('PULSEWARD_DATA')}/principals.json`,
      ),
      'what is copied at the start lies where the service looks': copiedFiles(manifests).every((path) =>
        [settingOf('PULSEWARD_CREDENTIALS_KEY_FILE'), settingOf('PULSEWARD_PRINCIPALS_FILE')].includes(path),
      ),
      'compiled code is kept': isBelow(settingOf('XDG_CACHE_HOME')),
    })
  },

  'probes are commands that know the token from the environment': (manifests) => {
    const { startupProbe, livenessProbe, readinessProbe, env } = containerOf(manifests)
    const token = env.find(({ name }) => name === 'PULSEWARD_TOKEN')
    return unmet({
      'a start is over when the process answers': commandOf(startupProbe) === 'pulseward health',
      'a restart is for a process that does not answer': commandOf(livenessProbe) === 'pulseward health',
      'ready is what the service calls ready': commandOf(readinessProbe) === 'pulseward ready',
      'there is time for a command to start': [startupProbe, livenessProbe, readinessProbe].every(
        ({ timeoutSeconds = 1 }) => timeoutSeconds >= 10,
      ),
      'the token comes from a Secret': token?.value === undefined && token?.valueFrom !== undefined,
    })
  },

  'secrets are in Secrets alone': (manifests, { secrets }) => {
    const forms = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64')])
    const open = manifests.filter(({ kind }) => kind !== 'Secret')
    return open.flatMap((manifest) =>
      forms.some((form) => JSON.stringify(manifest).includes(form))
        ? [`${manifest.kind} ${manifest.metadata.name} holds a secret`]
        : [],
    )
  },

  'the cluster grants patches of named workloads and nothing else': (manifests) => {
    const roles = ofKind(manifests, 'Role')
    const rules = roles.flatMap((role) => role.rules!)
    const workloads = /^(deployments|statefulsets|daemonsets)(\/scale)?$/
    return unmet({
      'no right is for the whole cluster': ofKind(manifests, 'ClusterRole').length === 0,
      'only apps, only patch': rules.every(
        ({ apiGroups, verbs }) => `${apiGroups}` === 'apps' && `${verbs}` === 'patch',
      ),
      'only workloads': rules.every(({ resources }) => resources.every((one) => workloads.test(one))),
      'only those with a name': rules.every(({ resourceNames = [] }) => resourceNames.length > 0),
      'the pod has a token exactly when it has rights':
        podOf(manifests).automountServiceAccountToken === roles.length > 0,
    })
  },

  'names lead to objects that are there': (manifests, { existing }) => {
    const made = new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`))
    const isThere = (kind: string, name: string) => made.has(`${kind} ${name}`) || existing.includes(name)
    return referencesOf(manifests).flatMap(([kind, name]) =>
      isThere(kind, name) ? [] : [`there is no ${kind} ${name}`],
    )
  },

  'requests reach the pod': (manifests) => {
    const { labels } = statefulSetOf(manifests).template.metadata
    const selects = (selector: object) =>
      Object.entries(selector).every(([key, value]) => labels[key] === value)
    const [service] = ofKind(manifests, 'Service').map(({ spec }) => spec as ServiceSpec)
    const policies = ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec as PolicySpec)
    const [port] = containerOf(manifests).ports
    return unmet({
      'the Service selects the pod': selects(service!.selector),
      'the Service leads to its port': service!.ports[0]!.targetPort === port!.name,
      'the policy is about the pod': policies.every(({ podSelector }) => selects(podSelector.matchLabels)),
      'the policy is about its port': policies.every(
        ({ ingress }) => ingress[0]!.ports[0]!.port === port!.containerPort,
      ),
      'the policy names who may connect': policies.every(
        ({ ingress }) => (ingress[0]!.from ?? []).length > 0,
      ),
    })
  },

  'metrics are read as the alerts expect': (manifests) => {
    const [secret] = containerOf(manifests).env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
    return ofKind(manifests, 'ServiceMonitor').flatMap(({ spec }) => {
      const [endpoint] = (spec as MonitorSpec).endpoints
      return unmet({
        'with the token of the service': isDeepStrictEqual(endpoint!.authorization.credentials, secret),
        'as the job that alerts look for': endpoint!.relabelings.some(
          ({ targetLabel, replacement }) => targetLabel === 'job' && replacement === 'pulseward',
        ),
      })
    })
  },

  'rules and dashboard are those of deploy': (manifests) => {
    const rules = ofKind(manifests, 'PrometheusRule').map(({ spec }) => spec)
    const maps = ofKind(manifests, 'ConfigMap').filter(({ data }) => data?.['pulseward.json'] !== undefined)
    return unmet({
      'the rules': rules.every((spec) =>
        isDeepStrictEqual(spec, load(readText('deploy/prometheus/rules.yaml'))),
      ),
      'the dashboard': maps.every(
        ({ data }) => data!['pulseward.json'] === readText('deploy/grafana/pulseward.json'),
      ),
    })
  },
} satisfies Readonly<Record<string, ManifestRule>>

export type RuleName = keyof typeof manifestRules

/** Every problem, by the rule that found it. */
export function problemsOf(
  manifests: readonly Manifest[],
  given: Given,
): Partial<Record<RuleName, string[]>> {
  const found = Object.entries(manifestRules).map(([name, rule]) => [name, rule(manifests, given)] as const)
  return Object.fromEntries(found.filter(([, problems]) => problems.length > 0))
}

interface BudgetSpec {
  readonly minAvailable?: number
  readonly unhealthyPodEvictionPolicy?: string
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> }
}

interface ServiceSpec {
  readonly selector: object
  readonly publishNotReadyAddresses?: boolean
  readonly ports: readonly { readonly targetPort: string }[]
}

interface PolicySpec {
  readonly podSelector: { readonly matchLabels: object }
  readonly ingress: readonly {
    readonly from?: readonly object[]
    readonly ports: readonly { readonly port: number }[]
  }[]
}

interface MonitorSpec {
  readonly endpoints: readonly {
    readonly authorization: { readonly credentials: object }
    readonly relabelings: readonly { readonly targetLabel: string; readonly replacement: string }[]
  }[]
}

interface IngressSpec {
  readonly rules: readonly {
    readonly http: { readonly paths: readonly { readonly backend: { service: { name: string } } }[] }
  }[]
}

function commandOf({
  exec,
}: {
  readonly exec?: { readonly command: readonly string[] }
}): string | undefined {
  return exec?.command.join(' ')
}

function variableOf(manifests: readonly Manifest[], name: string): string | undefined {
  return containerOf(manifests).env.find((variable) => variable.name === name)?.value
}

function settingIsNext(manifests: readonly Manifest[]): boolean {
  const settings = ofKind(manifests, 'ConfigMap').map(({ data }) => data?.['settings.yaml'] ?? '')
  return settings.some((text) => /^edition: next$/m.test(text))
}

/** Where the container that runs first puts files. */
function copiedFiles(manifests: readonly Manifest[]): string[] {
  return (podOf(manifests).initContainers ?? []).flatMap(({ command }) => {
    const folder = command.find((word) => word.startsWith('--target-directory='))!.split('=')[1]!
    return command.filter((word) => word.startsWith('/')).map((path) => `${folder}/${basename(path)}`)
  })
}

/** Kind and name of every object that another object refers to. */
function referencesOf(manifests: readonly Manifest[]): [kind: string, name: string][] {
  const set = statefulSetOf(manifests)
  const { volumes, serviceAccountName, initContainers = [] } = podOf(manifests)
  const { env } = containerOf(manifests)
  const volumeMounts = [...initContainers, containerOf(manifests)].flatMap((one) => one.volumeMounts)
  const claims = (set.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name)
  const mountable = new Set([...claims, ...volumes.map(({ name }) => name)])
  const ingresses = ofKind(manifests, 'Ingress').map(({ spec }) => spec as IngressSpec)
  return [
    ['Service', set.serviceName],
    ['ServiceAccount', serviceAccountName],
    ...volumeMounts.flatMap(({ name }): [string, string][] =>
      mountable.has(name) ? [] : [['volume', name]],
    ),
    ...volumes.flatMap(({ configMap, secret }): [string, string][] => [
      ...(configMap === undefined ? [] : [['ConfigMap', configMap.name] as [string, string]]),
      ...(secret === undefined ? [] : [['Secret', secret.secretName] as [string, string]]),
    ]),
    ...env.flatMap(({ valueFrom }): [string, string][] =>
      valueFrom === undefined ? [] : [['Secret', valueFrom.secretKeyRef.name]],
    ),
    ...ofKind(manifests, 'RoleBinding').flatMap(({ roleRef, subjects }): [string, string][] => [
      ['Role', roleRef!.name],
      ['ServiceAccount', subjects![0]!.name],
    ]),
    ...ingresses.map(({ rules }): [string, string] => [
      'Service',
      rules[0]!.http.paths[0]!.backend.service.name,
    ]),
  ]
}
