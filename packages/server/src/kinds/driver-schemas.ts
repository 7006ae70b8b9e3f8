// kinds/driver-schemas.ts: the schema of a driver's options, by which is told what may be shown of them.
import { driverShapes } from '../config/driver-shapes.ts'
import type { DriverSchemas } from './redact-config.ts'

export const driverSchemas: DriverSchemas = (category, type) => {
  const { checks, recoveries, notifiers } = driverShapes
  const shapes = category === 'check' ? checks : category === 'recovery' ? recoveries : notifiers
  return shapes[type]?.config ?? null
}
