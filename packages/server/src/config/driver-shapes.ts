// config/driver-shapes.ts: the schemas of all drivers that fleet files may name: the registered ones, and the
// check of jobs that report by themselves, which no driver runs.
import { checks } from '../checks/registry.ts'
import { notifiers } from '../notify/registry.ts'
import { recoveries } from '../recovery/registry.ts'
import type { DriverShapes } from './fleet-file/schema.ts'
import { pushShape, pushType } from './push-check.ts'

export const driverShapes: DriverShapes = {
  checks: { ...checks, [pushType]: pushShape },
  recoveries,
  notifiers,
}
