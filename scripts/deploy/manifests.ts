// scripts/deploy/manifests.ts: the objects that the chart makes, as tests read them.
import { loadAll } from 'js-yaml'

export interface EnvironmentVariable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
}

export interface Probe {
  readonly exec?: { readonly command: readonly string[] }
  readonly timeoutSeconds?: number
  readonly periodSeconds?: number
}

export interface Container {
  readonly args: readonly string[]
  readonly env: readonly EnvironmentVariable[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
}

/** Runs to its end before the others start. */
export interface FirstContainer extends Pick<Container, 'volumeMounts' | 'securityContext'> {
  readonly command: readonly string[]
}

export interface Volume {
  readonly name: string
  readonly configMap?: { readonly name: string }
  readonly secret?: { readonly secretName: string }
  readonly emptyDir?: object
}

export interface PodSpec {
  readonly serviceAccountName: string
  readonly automountServiceAccountToken: boolean
  readonly enableServiceLinks: boolean
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly initContainers?: readonly FirstContainer[]
  readonly containers: readonly [Container]
  readonly volumes: readonly Volume[]
}

export interface StatefulSet {
  readonly replicas: number
  readonly serviceName: string
  readonly podManagementPolicy?: string
  readonly updateStrategy?: { readonly type: string }
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> }
    readonly spec: PodSpec
  }
  readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[]
}

export interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

export interface Manifest {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels: Readonly<Record<string, string>>
  }
  readonly spec?: unknown
  readonly data?: Readonly<Record<string, string>>
  readonly rules?: readonly Rule[]
  readonly subjects?: readonly { readonly name: string; readonly namespace: string }[]
  readonly roleRef?: { readonly name: string }
}

export function readManifests(rendered: string): Manifest[] {
  return (loadAll(rendered) as (Manifest | null)[]).filter((manifest) => manifest !== null)
}

export function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind)
}

export function statefulSetOf(manifests: readonly Manifest[]): StatefulSet {
  return ofKind(manifests, 'StatefulSet')[0]!.spec as StatefulSet
}

export function podOf(manifests: readonly Manifest[]): PodSpec {
  return statefulSetOf(manifests).template.spec
}

export function containerOf(manifests: readonly Manifest[]): Container {
  return podOf(manifests).containers[0]
}
