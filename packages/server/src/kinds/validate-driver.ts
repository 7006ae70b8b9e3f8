// kinds/validate-driver.ts: what is wrong with the drivers of a resource: their options, the credentials that
// they name and the values of those, job types, and what may act on this machine.
import type { v2 } from '@pulseward/contract'
import { valueMistakes, withOpenValues } from '../config/fleet-file/credential-values.ts'
import { unknownDriver } from '../config/fleet-file/monitor-validator.ts'
import type { DriverShape } from '../config/fleet-file/schema.ts'
import { asFieldError, type FieldError } from '../config/shape/explain.ts'
import { configWithReferences, referenceProblems, shapeOf } from './driver-config.ts'
import { notThere, rule } from './field-error.ts'
import { jsonPointer } from './monitor-document.ts'
import type { PlacedDriver } from './placed-driver.ts'
import type { Surroundings } from './surroundings.ts'

type Values = Pick<Surroundings, 'drivers' | 'credentialValue'>

/** Which credential values do not fit a driver that is otherwise valid. */
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

/** The options with credentials under their v2 ids. */
function withOwnNames(driver: v2.DriverConfig): object {
  return configWithReferences(driver, (id) => id)
}

export function driverErrors(placed: PlacedDriver, around: Surroundings): FieldError[] {
  const { driver, shapes, pointer } = placed
  const shape = shapeOf(shapes, driver.type)
  if (shape === null) return externalErrors(placed, around)
  const errors: FieldError[] = []
  for (const [field, id] of Object.entries(driver.credentialRefs ?? {})) {
    if (around.has('Credential', id)) continue
    const place = `${pointer}${jsonPointer(['credentialRefs', field])}`
    errors.push(notThere(place, 'Credential', id, around.someIds('Credential')))
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

/** For a driver that the service does not have: it must be a job type of the right kind. */
function externalErrors(
  { category: kind, driver, shapes, pointer }: PlacedDriver,
  around: Surroundings,
): FieldError[] {
  const jobType = around.jobType(driver.type)
  const field = `${pointer}/type`
  if (jobType === null) {
    const mistake = unknownDriver(kind, driver.type, Object.keys(shapes), [])
    const { message, ...error } = asFieldError(mistake, () => field, 'shown')
    const words = `, and no job type of the kind ${kind}; allowed: `
    return [{ ...error, message: around.allowsJobTypes ? message.replace('; allowed: ', words) : message }]
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

/** Only a valid configuration can be asked. */
function actsHere(driver: v2.DriverConfig, shape: DriverShape, around: Surroundings): boolean {
  if (shape.actsHere === undefined) return false
  try {
    return shape.actsHere(withOpenValues(shape, withOwnNames(driver), around.credentialValue).config)
  } catch {
    return true
  }
}
