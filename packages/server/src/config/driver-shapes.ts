// config/driver-shapes.ts: the schemas of all registered drivers, which are the types that fleet files may name.
import { checks } from '../checks/registry.ts'
import { notifiers } from '../notify/registry.ts'
import { recoveries } from '../recovery/registry.ts'
import type { DriverShapes } from './fleet-file/schema.ts'

export const driverShapes: DriverShapes = { checks, recoveries, notifiers }
