// kinds/references.ts: which other resources a resource refers to: what its kind says, and what its drivers use.
import { v2 } from '@pulseward/contract'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import { credentialsOf, jobTypeOf } from './driver-config.ts'
import type { Kind, ManagedKind, ResourceKey } from './kind.ts'
import { placedDrivers } from './placed-driver.ts'

/** Equal keys have equal texts. */
export function keyText([kind, id]: ResourceKey): string {
  return `${kind} ${id}`
}

export function keysOfKind(kind: ManagedKind, ids: readonly string[] = []): ResourceKey[] {
  const number = v2.kindNumber(kind)
  return ids.map((id): ResourceKey => [number, id])
}

/** Each reference once. */
export function referencesOf(kind: Kind, spec: unknown, drivers: DriverShapes): ResourceKey[] {
  const placed = placedDrivers(kind, spec, drivers)
  const used = [
    ...keysOfKind(
      'Credential',
      placed.flatMap(({ driver, shapes }) => credentialsOf(driver, shapes)),
    ),
    ...keysOfKind(
      'JobType',
      placed.flatMap(({ driver, shapes }) => jobTypeOf(driver, shapes) ?? []),
    ),
  ]
  return [...new Map([...kind.names(spec), ...used].map((key) => [keyText(key), key])).values()]
}

/** Only tests whether there may be any: most monitors refer to nothing. */
export function hasReferences(kind: Kind, spec: unknown, drivers: DriverShapes): boolean {
  return (
    kind.names(spec).length > 0 ||
    placedDrivers(kind, spec, drivers).some(
      ({ driver, shapes }) => driver.credentialRefs !== undefined || jobTypeOf(driver, shapes) !== null,
    )
  )
}
