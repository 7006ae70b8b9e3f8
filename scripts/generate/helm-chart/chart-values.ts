// scripts/generate/helm-chart/chart-values.ts: every value of the chart: its default, what it may be, and
// what it does. Rules over several values are in templates/_refusals.tpl of the chart, where they can have a
// clear message; so are the rules for secret values, because the message of a schema would quote them.
import { settingsFileJsonSchema } from '@pulseward/server'
import { choice, flag, group, list, names, passedOn, text, type ValueShape, whole } from './value-shapes.ts'

/** A size in the notation of Kubernetes. */
const size = { pattern: '^[1-9][0-9]*(\\.[0-9]+)?(Ki|Mi|Gi|Ti|k|M|G|T)?$' }
/** A duration in the notation of Prometheus. */
const prometheusDuration = { pattern: '^[1-9][0-9]*(ms|s|m|h)$' }
/** A name of an object, or empty. */
const objectName = { pattern: '^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)?$' }
const kubernetesObject = { type: 'object' }

/** The chart decides their values; in `settings` they would be overridden or break the probes. */
export const ownSettings = [
  'listen',
  'token_file',
  'data',
  'config',
  'allow_empty',
  'watch',
  'tls',
  'principals_file',
  'credentials_key_file',
  'store_password_file',
] as const

const workload = {
  type: 'object',
  additionalProperties: false,
  required: ['namespace', 'name'],
  properties: {
    namespace: { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' },
    name: { type: 'string', pattern: '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$' },
    kind: { enum: ['deployment', 'statefulset', 'daemonset'], default: 'deployment' },
    actions: {
      type: 'array',
      items: { enum: ['restart', 'scale'] },
      minItems: 1,
      uniqueItems: true,
      default: ['restart'],
    },
  },
}

export function chartValues(): Readonly<Record<string, ValueShape>> {
  return {
    fullnameOverride: text('Name of all objects; by default made from the name of the release.', '', {
      pattern: '^([a-z]([a-z0-9-]{0,50}[a-z0-9])?)?$',
    }),
    image: group('The container image.', {
      repository: text('Repository of the image.', 'pulseward/pulseward', { minLength: 1 }),
      tag: text('Its tag; by default the appVersion of the chart.'),
      digest: text('Its digest, such as sha256:…, which takes precedence over the tag.', '', {
        pattern: '^(sha256:[0-9a-f]{64})?$',
      }),
      pullPolicy: choice('When the image is pulled.', ['IfNotPresent', 'Always', 'Never']),
      pullSecrets: list('Names of Secrets for a private registry.', { type: 'string', minLength: 1 }),
    }),
    replicas: whole(
      '1, or 0 to stop the service. More need `store.postgres`: one is active, the others stand by.',
      1,
      [0],
    ),
    settings: {
      description: 'Settings of the service, as in its runtime file. A change restarts the pod.',
      type: 'object',
      additionalProperties: false,
      properties: settingShapes(),
      default: {},
    },
    fleet: group(
      'What is watched. At most one of the three; with none, the service starts without monitors.',
      {
        files: {
          description: 'Fleet files: name to content. A change is reloaded without a restart.',
          type: 'object',
          additionalProperties: false,
          patternProperties: {
            '^[A-Za-z0-9][A-Za-z0-9._-]*\\.(yaml|yml|json|ndjson)$': { type: 'string', minLength: 1 },
          },
          default: {},
        },
        existingConfigMap: text('A ConfigMap whose keys are fleet files.', '', objectName),
        existingSecret: text('A Secret whose keys are fleet files.', '', objectName),
      },
    ),
    credentials: group('Values of the credentials that fleet files name.', {
      existingSecret: text(
        'A Secret whose keys become files: `{ file: /run/secrets/pulseward/KEY }` in a fleet file.',
        '',
        objectName,
      ),
    }),
    token: group('The access token of the service. At most one of value and existingSecret.', {
      value: text(
        'The token, for a Secret that the chart creates; by default it generates one and keeps it.',
      ),
      existingSecret: text('A Secret that holds the token.', '', objectName),
      key: text('The key of the token in the Secret.', 'token', { pattern: '^[A-Za-z0-9._-]+$' }),
    }),
    persistence: group('The volume of the store.', {
      enabled: flag('Keep the store on a volume. Without it, a restart of the pod loses everything.', true),
      size: text('Size of the volume.', '10Gi', size),
      storageClass: text('Its storage class; by default that of the cluster.', '', objectName),
      accessMode: choice('Access mode of the volume.', ['ReadWriteOnce', 'ReadWriteOncePod']),
    }),
    store: group('The store, if it is not on the volume.', {
      postgres: group('A PostgreSQL that keeps the state.', {
        url: text('Where it is, such as `postgres://pulseward@db.example/pulseward`, without a password.'),
        existingSecret: text(
          'A Secret that holds the password. Its keys are files in /run/secrets/pulseward-store.',
          '',
          objectName,
        ),
        key: text('The key of the password in the Secret.', 'password', {
          pattern: '^[A-Za-z0-9._-]+$',
        }),
      }),
    }),
    sharedFiles: group('What several pods of the edition next need alike.', {
      existingSecret: text(
        'A Secret with the keys `credentials.key` and `principals.json`, which each pod copies when it starts.',
        '',
        objectName,
      ),
    }),
    podDisruptionBudget: group('What drains of nodes may do with several replicas.', {
      enabled: flag(
        'Let a drain wait until the active pod has been handed over. Pods that stand by are evicted at once.',
        true,
      ),
    }),
    credentialsKey: group('The key file that encrypts stored credentials (edition next).', {
      separateVolume: flag(
        'Keep it on a separate volume, so that no snapshot of the store contains its key. Choose this at installation.',
        false,
      ),
      size: text('Size of that volume.', '1Gi', size),
      storageClass: text('Its storage class; by default that of the cluster.', '', objectName),
    }),
    listenAddress: choice('Where the service listens: `::` in IPv6-only clusters.', ['0.0.0.0', '::']),
    service: group('The Service in front of the pod.', {
      type: choice('Its type.', ['ClusterIP', 'NodePort', 'LoadBalancer']),
      port: whole('Its port.', 8080, [1, 65_535]),
      annotations: names('Its annotations.'),
    }),
    ingress: group('An Ingress for people and clients outside of the cluster.', {
      enabled: flag('Create an Ingress.', false),
      className: text('The class of the controller.', '', objectName),
      host: text('The host name. The service is at its root.', '', {
        pattern: '^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*)?$',
      }),
      tlsSecret: text('A Secret with the certificate for that name.', '', objectName),
      annotations: names('Its annotations.'),
    }),
    networkPolicy: group('Who may connect to the pod, and where it may connect to.', {
      enabled: flag('Create a NetworkPolicy.', true),
      from: list(
        'Peers that may connect, as in a NetworkPolicy; by default the pods of the same namespace.',
        kubernetesObject,
      ),
      egress: list(
        'Rules for outgoing connections, as in a NetworkPolicy; by default all are allowed.',
        kubernetesObject,
      ),
    }),
    serviceMonitor: group('A ServiceMonitor of the Prometheus operator.', {
      enabled: flag('Create a ServiceMonitor.', false),
      interval: text('How often metrics are scraped.', '30s', prometheusDuration),
      labels: names('Labels by which Prometheus selects it.'),
    }),
    prometheusRule: group('The rules of deploy/prometheus as a PrometheusRule.', {
      enabled: flag('Create a PrometheusRule.', false),
      labels: names('Labels by which Prometheus selects it.'),
    }),
    grafanaDashboard: group('The dashboard of deploy/grafana as a ConfigMap.', {
      enabled: flag('Create the ConfigMap.', false),
      labels: names('Labels by which the sidecar of Grafana finds it.', { grafana_dashboard: '1' }),
    }),
    kubernetesRecovery: group('What the kubernetes recovery may do by the service account of the pod.', {
      workloads: list(
        'Workloads: `namespace`, `name`, `kind` (deployment, statefulset, daemonset) and `actions` (restart, scale). With none, the pod gets no service account token.',
        workload,
      ),
    }),
    serviceAccountAnnotations: names('Annotations of the service account.'),
    icmp: group('Checks by ping.', {
      enabled: flag('Let the pod open ping sockets, by the sysctl net.ipv4.ping_group_range.', true),
    }),
    resources: passedOn('Resources of the container. Probes run inside it: leave 200 MiB for them.', {
      requests: { cpu: '100m', memory: '320Mi' },
      limits: { memory: '1Gi' },
    }),
    podLabels: names('Further labels of the pod.'),
    podAnnotations: names('Further annotations of the pod.'),
    priorityClassName: text('The priority class of the pod.', '', objectName),
    nodeSelector: names('Labels of nodes on which the pod may run.'),
    affinity: passedOn('Affinity of the pod.'),
    tolerations: list('Tolerations of the pod.', kubernetesObject),
  }
}

function settingShapes(): Readonly<Record<string, ValueShape>> {
  const { properties } = settingsFileJsonSchema() as { properties: Record<string, ValueShape> }
  const own = new Set<string>(ownSettings)
  return Object.fromEntries(Object.entries(properties).filter(([key]) => !own.has(key)))
}
