// scripts/deploy/chart-values.fixture.ts: values for tests of the chart: one with every option on, and values
// that must be refused.
import type { Given } from './manifest-rules.ts'

export const token = 'a-token-that-nobody-may-read-0123456789'

const fleet = `version: 1
monitors:
  - id: itself
    name: The service itself
    check: { type: tcp, interval: 1s, config: { host: 127.0.0.1, port: 8080 } }
`

export interface Example {
  readonly values: object
  readonly given: Given
}

export const nothingGiven: Example = { values: {}, given: { existing: [], secrets: [] } }

export const everythingOn = {
  values: {
    replicas: 1,
    image: { digest: `sha256:${'0'.repeat(64)}`, pullSecrets: ['registry'] },
    settings: { edition: 'next', alert_cooldown: '10m', log: { level: 'debug' }, proxies: ['10.0.0.0/8'] },
    fleet: { files: { 'fleet.yaml': fleet } },
    credentials: { existingSecret: 'hooks' },
    token: { value: token },
    persistence: { storageClass: 'fast', accessMode: 'ReadWriteOncePod' },
    credentialsKey: { separateVolume: true, storageClass: 'slow' },
    service: { type: 'LoadBalancer', annotations: { 'example.com/internal': 'true' } },
    ingress: {
      enabled: true,
      className: 'nginx',
      host: 'status.example',
      tlsSecret: 'status-tls',
      annotations: { 'nginx.ingress.kubernetes.io/proxy-read-timeout': '3600' },
    },
    networkPolicy: {
      from: [{ namespaceSelector: {} }],
      egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }],
    },
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
    prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
    grafanaDashboard: { enabled: true },
    kubernetesRecovery: {
      workloads: [
        { namespace: 'shop', name: 'checkout', actions: ['restart', 'scale'] },
        { namespace: 'shop', name: 'cart' },
        { namespace: 'shop', name: 'ledger', kind: 'statefulset', actions: ['scale'] },
        { namespace: 'edge', name: 'agent', kind: 'daemonset' },
      ],
    },
    serviceAccountAnnotations: { 'example.com/team': 'payments' },
    podLabels: { team: 'payments' },
    podAnnotations: { 'example.com/note': 'yes' },
    priorityClassName: 'high',
    nodeSelector: { disk: 'ssd' },
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'Exists' }] }],
        },
      },
    },
    tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoSchedule' }],
  },
  given: { existing: ['hooks'], secrets: [token] },
} satisfies Example

/** Two pods over a PostgreSQL, in the edition that has files of its own. */
export const twoReplicas = {
  values: {
    replicas: 2,
    settings: { edition: 'next' },
    fleet: { files: { 'fleet.yaml': fleet } },
    token: { value: token },
    store: { postgres: { url: 'postgres://ward@db.example/pulseward', existingSecret: 'db', key: 'word' } },
    sharedFiles: { existingSecret: 'alike' },
    serviceMonitor: { enabled: true },
    networkPolicy: { from: [{ podSelector: {} }] },
  },
  given: { existing: ['db', 'alike'], secrets: [token] },
} satisfies Example

export interface Refusal {
  readonly values: object
  /** Texts that the message must contain, as whole words. */
  readonly says: readonly string[]
}

export const refusals: Readonly<Record<string, Refusal>> = {
  'an unknown key': { values: { replica: 1 }, says: ["additional properties 'replica' not allowed"] },
  'an unknown setting': {
    values: { settings: { alert_cooldwn: '5m' } },
    says: ["at '/settings': additional properties 'alert_cooldwn' not allowed"],
  },
  'a setting that the chart owns': {
    values: { settings: { listen: '0.0.0.0:1' } },
    says: ["at '/settings': additional properties 'listen' not allowed"],
  },
  'a bad duration': {
    values: { settings: { alert_cooldown: 'soon' } },
    says: ["at '/settings/alert_cooldown': 'soon' does not match pattern"],
  },
  'a number for a duration': {
    values: { serviceMonitor: { interval: 30 } },
    says: ["at '/serviceMonitor/interval': got number, want string"],
  },
  'two replicas without a store for both': {
    values: { replicas: 2 },
    says: [
      'replicas is 2, but without store.postgres.url only 1',
      'the store belongs to one process',
      'Set replicas to 1, or name a PostgreSQL.',
    ],
  },
  'two replicas whose keys would differ': {
    values: { ...twoReplicas.values, sharedFiles: { existingSecret: '' } },
    says: [
      'replicas is 2 in the edition next, whose pods must have the same key of credentials',
      'Name a Secret with both as sharedFiles.existingSecret.',
    ],
  },
  'two places for the key of credentials': {
    values: { ...twoReplicas.values, credentialsKey: { separateVolume: true } },
    says: ['sharedFiles.existingSecret and credentialsKey.separateVolume are both set.'],
  },
  'a password in the URL of the store': {
    values: { store: { postgres: { url: 'postgres://ward:short-secret@db.example/pulseward' } } },
    says: ['store.postgres.url has a password.', 'name that as store.postgres.existingSecret.'],
  },
  'another database': {
    values: { store: { postgres: { url: 'mysql://ward:short-secret@db.example/pulseward' } } },
    says: ['store.postgres.url must be of the form postgres://USER@HOST/DATABASE.'],
  },
  'a password for no PostgreSQL': {
    values: { store: { postgres: { existingSecret: 'db' } } },
    says: ['store.postgres.existingSecret needs store.postgres.url.'],
  },
  'a PostgreSQL among the settings': {
    values: { settings: { store: 'postgres://ward:short-secret@db.example/pulseward' } },
    says: ['settings.store names a PostgreSQL. Set store.postgres.url instead.'],
  },
  'two stores': {
    values: { settings: { store: 'memory' }, store: { postgres: { url: 'postgres://ward@db.example/p' } } },
    says: ['settings.store and store.postgres.url are both set. Leave one of them out.'],
  },
  'a token and a Secret for it': {
    values: { token: { value: token, existingSecret: 'mine' } },
    says: ['token.value and token.existingSecret are both set. Leave one of them out.'],
  },
  'a short token': {
    values: { token: { value: 'short-secret' } },
    says: ['token.value must be one line of 16 to 4096 visible ASCII characters.'],
  },
  'two fleets': {
    values: { fleet: { existingConfigMap: 'one', existingSecret: 'two' } },
    says: ['More than one of fleet.files, fleet.existingConfigMap and fleet.existingSecret is set.'],
  },
  'a fleet file that would not be read': {
    values: { fleet: { files: { 'fleet.txt': 'version: 1' } } },
    says: ["at '/fleet/files': additional properties 'fleet.txt' not allowed"],
  },
  'a key volume for a store that is forgotten': {
    values: { persistence: { enabled: false }, credentialsKey: { separateVolume: true } },
    says: ['Set persistence.enabled to true, or leave the volume out.'],
  },
  'an ingress that nobody gets through': {
    values: { ingress: { enabled: true } },
    says: [
      'The values have 2 mistakes; nothing was changed.',
      'ingress.enabled needs ingress.host.',
      'ingress.enabled needs networkPolicy.from, or the controller cannot connect.',
    ],
  },
  'a ServiceMonitor that cannot connect': {
    values: { serviceMonitor: { enabled: true } },
    says: ['serviceMonitor.enabled needs networkPolicy.from, or Prometheus cannot connect.'],
  },
  'a Service for the world that nobody gets through': {
    values: { service: { type: 'LoadBalancer' } },
    says: [
      'service.type LoadBalancer needs networkPolicy.from, or nothing outside of the namespace can connect.',
    ],
  },
  'fleet files that no ConfigMap holds': {
    values: { fleet: { files: { 'a.yaml': 'x'.repeat(600_000), 'b.yaml': 'x'.repeat(600_000) } } },
    says: ['fleet.files hold more than 1 MiB, the most that a ConfigMap takes.'],
  },
  'a label and an annotation that the chart sets': {
    values: {
      podLabels: { 'app.kubernetes.io/name': 'other' },
      podAnnotations: { 'pulseward/settings': 'x' },
      serviceMonitor: { labels: { 'helm.sh/chart': 'x' } },
    },
    says: [
      'podLabels has app.kubernetes.io/name, which the chart sets itself. Leave it out.',
      'podAnnotations has pulseward/settings, which the chart sets itself. Leave it out.',
      'serviceMonitor.labels has helm.sh/chart, which the chart sets itself. Leave it out.',
    ],
  },
  'a group of values taken away': {
    values: { fleet: null },
    says: ["missing property 'fleet'"],
  },
  'a daemonset to scale': {
    values: {
      kubernetesRecovery: {
        workloads: [{ namespace: 'a', name: 'b', kind: 'daemonset', actions: ['scale'] }],
      },
    },
    says: ['the daemonset a/b has no replicas to scale. Leave the action scale out.'],
  },
}
