// bulk/references.ts: which other resources a resource names.
import type { v2 } from '@pulseward/contract'
import { credentialsOf } from '../managing/driver-config.ts'
import { credentialsOfMonitor } from '../managing/validate-resource.ts'
import { resourceKinds } from '../store/resource.ts'
import type { References, ResourceKey } from './work.ts'

type Named = Pick<v2.Resource, 'kind' | 'spec'>

const kind = {
  monitor: resourceKinds.indexOf('Monitor'),
  endpoint: resourceKinds.indexOf('NotificationEndpoint'),
  group: resourceKinds.indexOf('NotificationGroup'),
  credential: resourceKinds.indexOf('Credential'),
}

/** Looks only whether there may be any: most monitors name nothing. */
export function hasReferences(resource: Named): boolean {
  if (resource.kind === 'Credential' || resource.kind === 'JobType') return false
  if (resource.kind !== 'Monitor') return true
  const { check, recovery, notifications, dependsOn } = resource.spec as v2.Monitor['spec']
  return (
    (dependsOn?.length ?? 0) > 0 ||
    notifications !== undefined ||
    check.driver.credentialRefs !== undefined ||
    recovery?.driver.credentialRefs !== undefined
  )
}

export function referencesOf({ kind, spec }: Named): References {
  const none = { monitors: [], endpoints: [], groups: [], credentials: [] }
  switch (kind) {
    case 'Monitor': {
      const monitor = spec as v2.Monitor['spec']
      const rules = Object.values(monitor.notifications ?? {})
      return {
        monitors: monitor.dependsOn ?? [],
        endpoints: rules.flatMap(({ endpointRefs }) => endpointRefs ?? []),
        groups: rules.flatMap(({ groupRefs }) => groupRefs ?? []),
        credentials: credentialsOfMonitor(monitor),
      }
    }
    case 'NotificationEndpoint':
      return { ...none, credentials: credentialsOf(spec as v2.NotificationEndpoint['spec']) }
    case 'NotificationGroup':
      return { ...none, endpoints: (spec as v2.NotificationGroup['spec']).endpointRefs }
    default:
      return none
  }
}

export function keysOf({ monitors, endpoints, groups, credentials }: References): ResourceKey[] {
  return [
    ...monitors.map((id): ResourceKey => [kind.monitor, id]),
    ...endpoints.map((id): ResourceKey => [kind.endpoint, id]),
    ...groups.map((id): ResourceKey => [kind.group, id]),
    ...credentials.map((id): ResourceKey => [kind.credential, id]),
  ]
}

/** The same for equal keys. */
export function keyText([kind, id]: ResourceKey): string {
  return `${kind} ${id}`
}
