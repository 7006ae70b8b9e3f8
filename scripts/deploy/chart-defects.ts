// scripts/deploy/chart-defects.ts: defects to plant in a copy of the chart, each with the check that must notice it.
import type { RuleName } from './manifest-rules.ts'

export interface Defect {
  /** Relative to the folder of the chart. */
  readonly file: string
  readonly from: string
  readonly to: string
  readonly noticedBy: RuleName | 'lint' | 'kubeconform' | 'refusals'
}

const set = 'templates/statefulset.yaml'

export const chartDefects: readonly Defect[] = [
  { file: set, from: '{{- end }}', to: '', noticedBy: 'lint' },
  { file: 'Chart.yaml', from: '\nversion: ', to: '\nversion: first-', noticedBy: 'lint' },
  { file: 'values.yaml', from: 'replicas: 1', to: 'replicas: one', noticedBy: 'lint' },
  { file: set, from: 'readOnlyRootFilesystem', to: 'readOnlyRootFileSystem', noticedBy: 'kubeconform' },
  { file: set, from: 'containerPort: 8080', to: 'containerPort: http', noticedBy: 'kubeconform' },
  { file: 'templates/networkpolicy.yaml', from: 'policyTypes', to: 'policies', noticedBy: 'kubeconform' },
  { file: 'templates/servicemonitor.yaml', from: 'authorization:', to: 'auth:', noticedBy: 'kubeconform' },
  { file: 'templates/prometheusrule.yaml', from: 'spec:', to: 'rules:', noticedBy: 'kubeconform' },
  {
    file: 'templates/_refusals.tpl',
    from: 'and (gt (int .replicas) 1) (not .store.postgres.url)',
    to: 'false',
    noticedBy: 'refusals',
  },
  {
    file: 'templates/_refusals.tpl',
    from: 'and (gt (int .replicas) 1) (eq',
    to: 'and false (eq',
    noticedBy: 'refusals',
  },
  {
    file: 'templates/_refusals.tpl',
    from: 'regexMatch "^[a-z]+://[^/@]*:[^/@]*@"',
    to: 'regexMatch "^never"',
    noticedBy: 'refusals',
  },
  {
    file: 'templates/_refusals.tpl',
    from: '.token.value .token.existingSecret',
    to: 'false',
    noticedBy: 'refusals',
  },
  {
    file: 'values.schema.json',
    from: '"additionalProperties": false,\n  "properties"',
    to: '"properties"',
    noticedBy: 'refusals',
  },
  {
    file: set,
    from: 'runAsNonRoot: true',
    to: 'runAsNonRoot: false',
    noticedBy: 'the pod has no rights on its node',
  },
  {
    file: set,
    from: 'readOnlyRootFilesystem: true',
    to: 'readOnlyRootFilesystem: false',
    noticedBy: 'the pod has no rights on its node',
  },
  { file: set, from: 'drop: [ALL]', to: 'add: [NET_RAW]', noticedBy: 'the pod has no rights on its node' },
  {
    file: set,
    from: 'type: RuntimeDefault',
    to: 'type: Unconfined',
    noticedBy: 'the pod has no rights on its node',
  },
  {
    file: set,
    from: 'emptyDir:\n            sizeLimit: 128Mi',
    to: 'hostPath: { path: /tmp }',
    noticedBy: 'the pod has no rights on its node',
  },
  { file: set, from: 'OnRootMismatch', to: 'Always', noticedBy: 'one process owns the store' },
  {
    file: set,
    from: 'replicas: {{ .Values.replicas }}',
    to: 'replicas: 3',
    noticedBy: 'one process owns the store',
  },
  {
    file: set,
    from: 'enableServiceLinks: false',
    to: 'enableServiceLinks: true',
    noticedBy: 'one process owns the store',
  },
  {
    file: set,
    from: 'podManagementPolicy: Parallel',
    to: 'podManagementPolicy: OrderedReady',
    noticedBy: 'of several pods one is active',
  },
  {
    file: set,
    from: 'type: OnDelete',
    to: 'type: RollingUpdate',
    noticedBy: 'of several pods one is active',
  },
  {
    file: set,
    from: 'ternary 10 30',
    to: 'ternary 60 30',
    noticedBy: 'of several pods one is active',
  },
  {
    file: 'templates/service.yaml',
    from: 'publishNotReadyAddresses: false',
    to: 'publishNotReadyAddresses: true',
    noticedBy: 'of several pods one is active',
  },
  {
    file: 'templates/service.yaml',
    from: 'publishNotReadyAddresses: true',
    to: 'publishNotReadyAddresses: false',
    noticedBy: 'of several pods one is active',
  },
  {
    file: 'templates/poddisruptionbudget.yaml',
    from: 'AlwaysAllow',
    to: 'IfHealthyBudget',
    noticedBy: 'of several pods one is active',
  },
  {
    file: 'templates/poddisruptionbudget.yaml',
    from: 'and (include "pulseward.standsBy" .)',
    to: 'and true',
    noticedBy: 'of several pods one is active',
  },
  {
    file: 'templates/poddisruptionbudget.yaml',
    from: 'minAvailable',
    to: 'leastAvailable',
    noticedBy: 'kubeconform',
  },
  {
    file: set,
    from: '- --target-directory=/shared',
    to: '- --target-directory=/tmp',
    noticedBy: 'what is written lies on volumes',
  },
  {
    file: set,
    from: 'secretName: {{ . }}\n            defaultMode: 0440\n        - name: shared\n',
    to: 'secretName: {{ . }}-files\n            defaultMode: 0440\n        - name: shared\n',
    noticedBy: 'names lead to objects that are there',
  },
  { file: set, from: 'value: /data/store', to: 'value: /data', noticedBy: 'what is written lies on volumes' },
  {
    file: set,
    from: 'value: /keys/credentials.key',
    to: 'value: /key',
    noticedBy: 'what is written lies on volumes',
  },
  {
    file: set,
    from: 'exec:\n              command: [pulseward, ready]',
    to: 'httpGet: { path: /api/v1/readyz, port: http }',
    noticedBy: 'probes are commands that know the token from the environment',
  },
  {
    file: set,
    from: 'command: [pulseward, health]\n            periodSeconds: 60',
    to: 'command: [pulseward, ready]\n            periodSeconds: 60',
    noticedBy: 'probes are commands that know the token from the environment',
  },
  {
    file: set,
    from: 'pulseward/token: {{ . | sha256sum | trunc 8 | quote }}',
    to: 'pulseward/token: {{ . | quote }}',
    noticedBy: 'secrets are in Secrets alone',
  },
  {
    file: 'templates/recovery-rights.yaml',
    from: 'verbs: [patch]',
    to: 'verbs: [get, patch]',
    noticedBy: 'the cluster grants patches of named workloads and nothing else',
  },
  {
    file: 'templates/recovery-rights.yaml',
    from: '    resourceNames: {{ toJson $names }}\n',
    to: '',
    noticedBy: 'the cluster grants patches of named workloads and nothing else',
  },
  {
    file: set,
    from: 'automountServiceAccountToken: {{ not (empty .Values.kubernetesRecovery.workloads) }}',
    to: 'automountServiceAccountToken: true',
    noticedBy: 'the cluster grants patches of named workloads and nothing else',
  },
  {
    file: 'templates/settings.yaml',
    from: '}}-settings',
    to: '}}-setting',
    noticedBy: 'names lead to objects that are there',
  },
  {
    file: 'templates/token.yaml',
    from: 'name: {{ $name }}',
    to: 'name: token',
    noticedBy: 'names lead to objects that are there',
  },
  {
    file: 'templates/service.yaml',
    from: 'targetPort: http',
    to: 'targetPort: web',
    noticedBy: 'requests reach the pod',
  },
  {
    file: 'templates/networkpolicy.yaml',
    from: 'port: 8080',
    to: 'port: 8060',
    noticedBy: 'requests reach the pod',
  },
  {
    file: 'templates/service.yaml',
    from: '"pulseward.selector" .',
    to: '"pulseward.labels" .',
    noticedBy: 'requests reach the pod',
  },
  {
    file: 'templates/servicemonitor.yaml',
    from: 'replacement: pulseward',
    to: 'replacement: service',
    noticedBy: 'metrics are read as the alerts expect',
  },
  {
    file: 'templates/servicemonitor.yaml',
    from: 'key: {{ .Values.token.key }}',
    to: 'key: password',
    noticedBy: 'metrics are read as the alerts expect',
  },
  {
    file: 'generated/rules.yaml',
    from: 'alert: PulsewardDown',
    to: 'alert: PulsewardUp',
    noticedBy: 'rules and dashboard are those of deploy',
  },
  {
    file: 'templates/grafana-dashboard.yaml',
    from: '"generated/dashboard.json"',
    to: '"values.schema.json"',
    noticedBy: 'rules and dashboard are those of deploy',
  },
]
