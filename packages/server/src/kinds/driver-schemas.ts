// kinds/driver-schemas.ts: the schemas of drivers' options, which determine what may be shown of them.
import { driverShapes } from '../config/driver-shapes.ts'
import { shapesOf } from './placed-driver.ts'
import type { DriverSchemas } from './redact-config.ts'

export const driverSchemas: DriverSchemas = (category, type) => {
  return shapesOf(category, driverShapes)[type]?.config ?? null
}
