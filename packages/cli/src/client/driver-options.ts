// client/driver-options.ts: the drivers of this version with their options, as the registries have them.
import { driverShapes } from '@pulseward/server'
import type { SchemaNode } from './schema-node.ts'

export interface KnownDriver {
  readonly kind: DriverKind
  readonly name: string
  readonly summary: string
  readonly requires: readonly string[]
  readonly schema: SchemaNode
}

type DriverKind = 'check' | 'notification' | 'recovery'

const { checks, notifiers, recoveries } = driverShapes
const shapes = { check: checks, notification: notifiers, recovery: recoveries }

export const knownDrivers: readonly KnownDriver[] = Object.entries(shapes).flatMap(([kind, registry]) =>
  Object.entries(registry).map(([name, { summary, requires = [], config }]) => ({
    kind: kind as DriverKind,
    name,
    summary,
    requires,
    schema: config as SchemaNode,
  })),
)

/** What stands under `config` in a resource: the options of each driver that may be there, under its name. */
export function optionsAt(parents: readonly string[]): SchemaNode {
  const kind = parents.includes('check')
    ? 'check'
    : parents.includes('recovery')
      ? 'recovery'
      : 'notification'
  const drivers = knownDrivers.filter((driver) => driver.kind === kind)
  return {
    type: 'object',
    description: `The options of the driver. Add the name of one to see its own: ${parents.join('.')}.config.${drivers[0]?.name}`,
    properties: Object.fromEntries(
      drivers.map(({ name, schema, summary }) => [name, { ...schema, description: summary }]),
    ),
  }
}
