// config/driver-shapes.ts: what fleet files may name: the schemas of every driver in the registries.
import { checks } from '../checks/registry.ts'
import { notifiers } from '../notify/registry.ts'
import { recoveries } from '../recovery/registry.ts'
import type { DriverShapes } from './fleet-file/schema.ts'

export const driverShapes: DriverShapes = { checks, recoveries, notifiers }
