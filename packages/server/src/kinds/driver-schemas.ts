// kinds/driver-schemas.ts: the schema of a driver's options, by which is told what may be shown of them.
import { driverShapes } from '../config/driver-shapes.ts'
import { shapesOf } from './placed-driver.ts'
import type { DriverSchemas } from './redact-config.ts'

export const driverSchemas: DriverSchemas = (category, type) => {
  return shapesOf(category, driverShapes)[type]?.config ?? null
}
