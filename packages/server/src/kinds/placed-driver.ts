// kinds/placed-driver.ts: finds the drivers of a resource at the paths that its kind defines.
import type { v2 } from '@pulseward/contract'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import { ownValue } from '../platform/json/json.ts'
import type { Shapes } from './driver-config.ts'
import type { DriverCategory, DriverPlace, Kind } from './kind.ts'
import { jsonPointer } from './monitor-document.ts'

/** A driver of a resource, the drivers allowed in its place, and its path in the resource. */
export interface PlacedDriver {
  readonly category: DriverCategory
  readonly driver: v2.DriverConfig
  readonly shapes: Shapes
  readonly pointer: string
}

export function placedDrivers(
  { drivers: places }: Pick<Kind, 'drivers'>,
  spec: unknown,
  drivers: DriverShapes,
): PlacedDriver[] {
  return places.flatMap((place) => {
    const driver = place.path.reduce<unknown>(memberOf, spec)
    if (driver === undefined) return []
    const { category } = place
    return [
      {
        category,
        driver: driver as v2.DriverConfig,
        shapes: shapesOf(category, drivers),
        pointer: pointerOf(place),
      },
    ]
  })
}

export function pointerOf({ path }: DriverPlace): string {
  return jsonPointer(['spec', ...path])
}

export function shapesOf(category: DriverCategory, { checks, recoveries, notifiers }: DriverShapes): Shapes {
  return category === 'check' ? checks : category === 'recovery' ? recoveries : notifiers
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? ownValue(value as never, key) : undefined
}
