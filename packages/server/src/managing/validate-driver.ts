// managing/validate-driver.ts: what is wrong with the drivers of a resource: their options, the credentials that they name and
// the values of those, job types, and what may act on this machine.
import type { v2 } from '@pulseward/contract'
import { valueMistakes, withOpenValues } from '../config/fleet-file/credential-values.ts'
import { unknownDriver } from '../config/fleet-file/monitor-validator.ts'
import type { DriverShape } from '../config/fleet-file/schema.ts'
import type { JobKind } from '../resources/job-type.ts'
import { configWithReferences, referenceProblems, type Shapes, shapeOf } from './driver-config.ts'
import { asError, type FieldError, notThere, rule } from './field-error.ts'
import { jsonPointer } from './monitor-document.ts'
import type { Surroundings } from './surroundings.ts'

/** A driver of a resource, the ones that it may be, and where it stands in the resource. */
interface PlacedDriver {
  readonly kind: JobKind
  readonly driver: v2.DriverConfig
  readonly shapes: Shapes
  readonly pointer: string
}

export function driversOf(
  { check, recovery }: v2.Monitor['spec'],
  { drivers }: Pick<Surroundings, 'drivers'>,
): PlacedDriver[] {
  const ofCheck: PlacedDriver = {
    kind: 'check',
    driver: check.driver,
    shapes: drivers.checks,
    pointer: '/spec/check/driver',
  }
  if (recovery === undefined) return [ofCheck]
  const ofRecovery: PlacedDriver = {
    kind: 'recovery',
    driver: recovery.driver,
    shapes: drivers.recoveries,
    pointer: '/spec/recovery/driver',
  }
  return [ofCheck, ofRecovery]
}

export function driverOfEndpoint(
  driver: v2.DriverConfig,
  { drivers }: Pick<Surroundings, 'drivers'>,
): PlacedDriver {
  return { kind: 'notification', driver, shapes: drivers.notifiers, pointer: '/spec' }
}

type Values = Pick<Surroundings, 'drivers' | 'credentialValue'>

/** What values of credentials are wrong for a monitor that is right otherwise. */
export function monitorValueErrors(spec: v2.Monitor['spec'], around: Values): FieldError[] {
  return driversOf(spec, around).flatMap((placed) => valueErrors(placed, around))
}

/** The same for an endpoint. */
export function endpointValueErrors(spec: v2.DriverConfig, around: Values): FieldError[] {
  return valueErrors(driverOfEndpoint(spec, around), around)
}

export function valueErrors({ driver, shapes, pointer }: PlacedDriver, around: Values): FieldError[] {
  const shape = shapeOf(shapes, driver.type)
  if (shape === null || driver.credentialRefs === undefined) return []
  return valueMistakes(shape, withOwnNames(driver), around.credentialValue).map(
    ({ path, message, reference, expected }) =>
      reference === null
        ? rule(`${pointer}${jsonPointer(['config', ...path])}`, message.replace(/\.$/, ''))
        : rule(
            `${pointer}${jsonPointer(['credentialRefs', reference.path.join('.')])}`,
            `names a credential whose value does not fit; expected: ${expected?.replace(/\.$/, '')}`,
          ),
  )
}

/** With references under the ids that v2 knows credentials by. */
function withOwnNames(driver: v2.DriverConfig): object {
  return configWithReferences(driver, (id) => id)
}

export function driverErrors(placed: PlacedDriver, around: Surroundings): FieldError[] {
  const { driver, shapes, pointer } = placed
  const shape = shapeOf(shapes, driver.type)
  if (shape === null) return externalErrors(placed, around)
  const errors: FieldError[] = []
  for (const [field, id] of Object.entries(driver.credentialRefs ?? {})) {
    if (around.hasCredential(id)) continue
    errors.push(notThere(`${pointer}${jsonPointer(['credentialRefs', field])}`, 'a credential'))
  }
  for (const { path, message } of referenceProblems(driver, shape))
    errors.push(rule(`${pointer}${jsonPointer(path)}`, message))
  if (errors.length === 0 && !around.allowsLocalDrivers && actsHere(driver, shape, around))
    errors.push({
      field: `${pointer}/type`,
      reason: 'notAllowed',
      message:
        'acts on the machine of the service, which is not open to v2; an administrator can allow it with the setting local_drivers',
    })
  return errors
}

/** A driver that the service does not have: a job type of the fitting kind, or nothing. */
function externalErrors({ kind, driver, shapes, pointer }: PlacedDriver, around: Surroundings): FieldError[] {
  const jobType = around.jobType(driver.type)
  const field = `${pointer}/type`
  if (jobType === null) {
    const mistake = unknownDriver(kind, driver.type, Object.keys(shapes), [])
    const { message } = asError(mistake, () => field)
    const words = `must be a job type of the kind ${kind}, or one of`
    const told = around.allowsJobTypes ? message.replace(/^must be one of/, words) : message
    return [{ field, reason: 'notAllowed', message: told }]
  }
  if (jobType.kind !== kind)
    return [
      { field, reason: 'notAllowed', message: `is a job type of the kind ${jobType.kind}, not ${kind}` },
    ]
  const unknown = Object.keys(driver.credentialRefs ?? {}).filter((name) => name !== 'profile')
  return [
    ...jobType.parameters.mistakes(driver.config).map((mistake) => ({
      field: `${pointer}/config${mistake.pointer}`,
      reason: mistake.reason,
      message: mistake.message,
    })),
    ...unknown.map((name) =>
      rule(
        `${pointer}${jsonPointer(['credentialRefs', name])}`,
        'has no meaning for a job type, whose workers keep their secrets; only profile may be given',
      ),
    ),
  ]
}

/** Only a configuration that is right can be asked. */
function actsHere(driver: v2.DriverConfig, shape: DriverShape, around: Surroundings): boolean {
  if (shape.actsHere === undefined) return false
  try {
    return shape.actsHere(withOpenValues(shape, withOwnNames(driver), around.credentialValue).config)
  } catch {
    return true
  }
}
