// fleet/monitor-form.ts: what the rules of a monitor compare, as it is configured. Never the options of its check or its
// recovery: rules do not compare them, and they may contain what is secret.
import {
  type FleetDefinition,
  type MaintenanceDefinition,
  type NotifyDefinition,
  sharedValue,
} from '../config/fleet-file/definition.ts'

export interface MonitorForm {
  readonly enabled: boolean
  readonly unhealthyThreshold: number
  readonly healthyThreshold: number
  readonly hasRecovery: boolean
  readonly dependsOn: readonly string[]
  readonly maintenance: readonly MaintenanceDefinition[]
  readonly notify: NotifyDefinition
  readonly labels: Readonly<Record<string, string>>
  readonly tags: readonly string[]
}

export function monitorFormOf(definition: FleetDefinition, row: number): MonitorForm {
  const { enabled, unhealthyThreshold, healthyThreshold } = sharedValue(definition.policies, row)
  return {
    enabled,
    unhealthyThreshold,
    healthyThreshold,
    hasRecovery: sharedValue(definition.recoveries, row) !== null,
    dependsOn: sharedValue(definition.dependencies, row),
    maintenance: sharedValue(definition.maintenance, row),
    notify: sharedValue(definition.notifications, row),
    labels: sharedValue(definition.labels, row),
    tags: sharedValue(definition.tags, row),
  }
}
