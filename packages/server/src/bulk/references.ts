// bulk/references.ts: which other resources a resource names.
import type { v2 } from '@pulseward/contract'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import { credentialsOf, driversOfMonitor, jobTypeOf, type Shapes } from '../managing/driver-config.ts'
import { resourceKinds } from '../store/resource.ts'
import type { References, ResourceKey } from './work.ts'

type Named = Pick<v2.Resource, 'kind' | 'spec'>

const kind = {
  monitor: resourceKinds.indexOf('Monitor'),
  endpoint: resourceKinds.indexOf('NotificationEndpoint'),
  group: resourceKinds.indexOf('NotificationGroup'),
  credential: resourceKinds.indexOf('Credential'),
  jobType: resourceKinds.indexOf('JobType'),
}

/** Looks only whether there may be any: most monitors name nothing. */
export function hasReferences(resource: Named, drivers: DriverShapes): boolean {
  if (resource.kind === 'Credential' || resource.kind === 'JobType') return false
  if (resource.kind !== 'Monitor') return true
  const { check, recovery, notifications, dependsOn } = resource.spec as v2.Monitor['spec']
  return (
    (dependsOn?.length ?? 0) > 0 ||
    notifications !== undefined ||
    check.driver.credentialRefs !== undefined ||
    recovery?.driver.credentialRefs !== undefined ||
    jobTypeOf(check.driver, drivers.checks) !== null ||
    (recovery !== undefined && jobTypeOf(recovery.driver, drivers.recoveries) !== null)
  )
}

export function referencesOf({ kind, spec }: Named, drivers: DriverShapes): References {
  const none = { monitors: [], endpoints: [], groups: [], credentials: [], jobTypes: [] }
  switch (kind) {
    case 'Monitor': {
      const monitor = spec as v2.Monitor['spec']
      const rules = Object.values(monitor.notifications ?? {})
      return {
        monitors: monitor.dependsOn ?? [],
        endpoints: rules.flatMap(({ endpointRefs }) => endpointRefs ?? []),
        groups: rules.flatMap(({ groupRefs }) => groupRefs ?? []),
        ...usedBy(driversOfMonitor(monitor, drivers)),
      }
    }
    case 'NotificationEndpoint':
      return { ...none, ...usedBy([[spec as v2.NotificationEndpoint['spec'], drivers.notifiers]]) }
    case 'NotificationGroup':
      return { ...none, endpoints: (spec as v2.NotificationGroup['spec']).endpointRefs }
    default:
      return none
  }
}

function usedBy(
  placed: readonly (readonly [v2.DriverConfig, Shapes])[],
): Pick<References, 'credentials' | 'jobTypes'> {
  const jobTypes = placed.map((driver) => jobTypeOf(...driver)).filter((id) => id !== null)
  const credentials = placed.flatMap((driver) => credentialsOf(...driver))
  return { credentials: [...new Set(credentials)], jobTypes: [...new Set(jobTypes)] }
}

export function keysOf({ monitors, endpoints, groups, credentials, jobTypes }: References): ResourceKey[] {
  return [
    ...monitors.map((id): ResourceKey => [kind.monitor, id]),
    ...endpoints.map((id): ResourceKey => [kind.endpoint, id]),
    ...groups.map((id): ResourceKey => [kind.group, id]),
    ...credentials.map((id): ResourceKey => [kind.credential, id]),
    ...jobTypes.map((id): ResourceKey => [kind.jobType, id]),
  ]
}

/** The same for equal keys. */
export function keyText([kind, id]: ResourceKey): string {
  return `${kind} ${id}`
}
