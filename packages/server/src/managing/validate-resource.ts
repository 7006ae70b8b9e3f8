// managing/validate-resource.ts: whether a resource may be written: everything that is wrong with it, all at once, each
// with a JSON pointer into the resource. Its shape has been checked before, by the schema of the contract. Options of
// drivers, rules of monitors and references are judged by the same code that judges fleet files.
import type { v2 } from '@pulseward/contract'
import { valueMistakes, withOpenValues } from '../config/fleet-file/credential-values.ts'
import { derivedIdentityPrefix, identityOf } from '../config/fleet-file/identity.ts'
import { endpointMistakes, MonitorValidator } from '../config/fleet-file/monitor-validator.ts'
import type { DriverShape, DriverShapes } from '../config/fleet-file/schema.ts'
import { show } from '../config/fleet-file/validate.ts'
import { configWithReferences, credentialsOf, referenceProblems } from './driver-config.ts'
import { jsonPointer, monitorDocument, pointerInMonitor } from './monitor-document.ts'

export interface FieldError {
  /** A JSON pointer into the resource. */
  readonly field: string
  readonly reason: string
  readonly message: string
}

/** What else is there, as the turn sees it that decides. */
export interface Surroundings {
  readonly drivers: DriverShapes
  /** Drivers that act on this machine may be used through v2. */
  readonly allowsLocalDrivers: boolean
  hasMonitor(id: string): boolean
  hasEndpoint(id: string): boolean
  hasGroup(id: string): boolean
  hasCredential(id: string): boolean
  /** Null when there is none, or when it cannot be decrypted. */
  credentialValue(id: string): string | null
  /** The ids that a monitor names in dependsOn. */
  parentsOf(id: string): readonly string[]
}

type MonitorResource = Pick<v2.Monitor, 'metadata' | 'spec'>
type EndpointResource = Pick<v2.NotificationEndpoint, 'metadata' | 'spec'>
type GroupResource = Pick<v2.NotificationGroup, 'metadata' | 'spec'>
type CredentialResource = Pick<v2.Credential, 'metadata' | 'spec'>

/** Values that a client has shown to somebody instead of a secret, and sends back by mistake. */
const placeholder = /^(\[?redacted\]?|\[hidden\]|\*{3,}|<hidden>)$/i

export class ResourceValidator {
  readonly #monitors: MonitorValidator

  constructor(drivers: DriverShapes) {
    this.#monitors = new MonitorValidator(drivers)
  }

  monitor(monitor: MonitorResource, around: Surroundings): FieldError[] {
    const { metadata, spec } = monitor
    const errors = idErrors(metadata)
    const ofDrivers = driversOf(spec, around).flatMap(({ driver, shapes, pointer }) =>
      driverErrors(driver, shapes, pointer, around),
    )
    for (const { path, message } of this.#monitors.mistakes(monitorDocument(monitor)) ?? []) {
      const field = pointerInMonitor(path)
      if (!isSaid(field, ofDrivers)) errors.push(invalid(field, message))
    }
    errors.push(...ofDrivers)
    errors.push(...destinationErrors(spec, around), ...dependencyErrors(monitor, around))
    // Values are put into options that are right otherwise.
    for (const placed of driversOf(spec, around))
      if (!errors.some(({ field }) => field.startsWith(placed.pointer)))
        errors.push(...valueErrors(placed, around))
    return withoutRepeats(errors)
  }

  endpoint({ metadata, spec }: EndpointResource, around: Surroundings): FieldError[] {
    const { drivers } = around
    const config = configWithReferences(spec)
    const mistakes = endpointMistakes(drivers, { type: spec.type, config }, [])
    const ofDriver = driverErrors(spec, drivers.notifiers, '/spec', around)
    const errors = [
      ...idErrors(metadata),
      ...mistakes.flatMap(({ path, message }) => {
        const field = jsonPointer(['spec', ...path])
        return isSaid(field, ofDriver) ? [] : [invalid(field, message)]
      }),
      ...ofDriver,
    ]
    if (!errors.some(({ field }) => field.startsWith('/spec')))
      errors.push(...endpointValueErrors(spec, around))
    return withoutRepeats(errors)
  }

  group({ metadata, spec }: GroupResource, around: Surroundings): FieldError[] {
    const missing = spec.endpointRefs.flatMap((id, index) =>
      around.hasEndpoint(id) ? [] : [notThere(`/spec/endpointRefs/${index}`, 'endpoint', id)],
    )
    if (spec.endpointRefs.length === 0)
      missing.push(invalid('/spec/endpointRefs', 'must name at least one endpoint.'))
    return [...idErrors(metadata), ...missing]
  }

  /** isNew: a credential that is created needs a value; an update without one keeps what is there. */
  credential({ metadata, spec }: CredentialResource, isNew: boolean): FieldError[] {
    const errors = idErrors(metadata)
    if (spec.value === undefined && isNew)
      errors.push(lacking('/spec/value', 'a new credential needs a value.'))
    else if (spec.value !== undefined && placeholder.test(spec.value))
      errors.push(
        invalid('/spec/value', 'is a placeholder and not a secret; leave it out to keep the value.'),
      )
    return errors
  }
}

/** A driver of a monitor, the ones that it may be, and where it stands in the resource. */
interface PlacedDriver {
  readonly driver: v2.DriverConfig
  readonly shapes: Readonly<Record<string, DriverShape>>
  readonly pointer: string
}

function driversOf(
  { check, recovery }: v2.Monitor['spec'],
  { drivers }: Pick<Surroundings, 'drivers'>,
): PlacedDriver[] {
  const ofCheck = { driver: check.driver, shapes: drivers.checks, pointer: '/spec/check/driver' }
  if (recovery === undefined) return [ofCheck]
  const ofRecovery = {
    driver: recovery.driver,
    shapes: drivers.recoveries,
    pointer: '/spec/recovery/driver',
  }
  return [ofCheck, ofRecovery]
}

type Values = Pick<Surroundings, 'drivers' | 'credentialValue'>

/** What values of credentials are wrong for a monitor that is right otherwise. */
export function monitorValueErrors(spec: v2.Monitor['spec'], around: Values): FieldError[] {
  return driversOf(spec, around).flatMap((placed) => valueErrors(placed, around))
}

/** The same for an endpoint. */
export function endpointValueErrors(spec: v2.DriverConfig, around: Values): FieldError[] {
  return valueErrors({ driver: spec, shapes: around.drivers.notifiers, pointer: '/spec' }, around)
}

function valueErrors({ driver, shapes, pointer }: PlacedDriver, around: Values): FieldError[] {
  const shape = shapeOf(shapes, driver.type)
  if (shape === null || driver.credentialRefs === undefined) return []
  return valueMistakes(shape, withOwnNames(driver), around.credentialValue).map(
    ({ path, message, reference }) => {
      const place = reference === null ? ['config', ...path] : ['credentialRefs', reference.path.join('.')]
      return invalid(`${pointer}${jsonPointer(place)}`, message)
    },
  )
}

/** With references under the ids that v2 knows credentials by. */
function withOwnNames(driver: v2.DriverConfig): object {
  return configWithReferences(driver, (id) => id)
}

/** The name is told apart by the document, which has it from the id where it is not given. */
function idErrors(metadata: { readonly id: string; readonly name?: string }): FieldError[] {
  const { id, name } = metadata
  if (!id.startsWith(derivedIdentityPrefix)) return []
  if (name !== undefined && identityOf({ name }) === id) return []
  const message = `an id that begins with "${derivedIdentityPrefix}" must be made from the name: "${derivedIdentityPrefix}" and its SHA-256.`
  return [invalid('/metadata/id', message)]
}

function driverErrors(
  driver: v2.DriverConfig,
  shapes: Readonly<Record<string, DriverShape>>,
  pointer: string,
  around: Surroundings,
): FieldError[] {
  const errors: FieldError[] = []
  for (const [field, id] of Object.entries(driver.credentialRefs ?? {})) {
    if (around.hasCredential(id)) continue
    errors.push(notThere(`${pointer}${jsonPointer(['credentialRefs', field])}`, 'credential', id))
  }
  const shape = shapeOf(shapes, driver.type)
  if (shape === null) return errors
  for (const { path, message } of referenceProblems(driver, shape))
    errors.push(invalid(`${pointer}${jsonPointer(path)}`, message))
  if (errors.length === 0 && !around.allowsLocalDrivers && actsHere(driver, shape, around))
    errors.push({
      field: `${pointer}/type`,
      reason: 'localDriver',
      message: `${show(driver.type)} acts on the machine of the service, and that is not open to v2; an administrator can allow it with the setting local_drivers.`,
    })
  return errors
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

function destinationErrors({ notifications = {} }: v2.Monitor['spec'], around: Surroundings): FieldError[] {
  return Object.entries(notifications).flatMap(([color, rule]) => {
    const at = `/spec/notifications/${color}`
    const endpoints = (rule?.endpointRefs ?? []).flatMap((id, index) =>
      around.hasEndpoint(id) ? [] : [notThere(`${at}/endpointRefs/${index}`, 'endpoint', id)],
    )
    const groups = (rule?.groupRefs ?? []).flatMap((id, index) =>
      around.hasGroup(id) ? [] : [notThere(`${at}/groupRefs/${index}`, 'group', id)],
    )
    return [...endpoints, ...groups]
  })
}

/** Parents that are missing, and a circle that this monitor would close. */
function dependencyErrors({ metadata, spec }: MonitorResource, around: Surroundings): FieldError[] {
  const parents = spec.dependsOn ?? []
  const missing = parents.flatMap((id, index) =>
    id === metadata.id || around.hasMonitor(id) ? [] : [notThere(`/spec/dependsOn/${index}`, 'monitor', id)],
  )
  const circle = circleThrough(metadata.id, parents, around)
  if (circle === null) return missing
  const shown = circle.slice(0, shownOfCircle).map((id) => `"${id}"`)
  if (circle.length > shownOfCircle) shown.push(`${circle.length - shownOfCircle} more`)
  const message = `depends on itself: ${[...shown, `"${metadata.id}"`].join(' → ')}.`
  return [...missing, { field: '/spec/dependsOn', reason: 'cycle', message }]
}

const shownOfCircle = 8

/** The way from the monitor back to itself; null when there is none. A stack of its own: chains may be long. */
function circleThrough(id: string, parents: readonly string[], around: Surroundings): string[] | null {
  const cameFrom = new Map<string, string>(parents.map((parent) => [parent, id]))
  const rest = [...cameFrom.keys()]
  for (let at = rest.pop(); at !== undefined; at = rest.pop()) {
    if (at === id) return wayTo(id, cameFrom)
    for (const parent of around.parentsOf(at)) {
      if (cameFrom.has(parent)) continue
      cameFrom.set(parent, at)
      rest.push(parent)
    }
  }
  return null
}

function wayTo(id: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way: string[] = []
  let at = id
  do {
    at = cameFrom.get(at) ?? id
    way.unshift(at)
  } while (at !== id)
  return way
}

/** The ids of the credentials that a monitor refers to. */
export function credentialsOfMonitor({ check, recovery }: v2.Monitor['spec']): string[] {
  const all = [
    ...credentialsOf(check.driver),
    ...(recovery === undefined ? [] : credentialsOf(recovery.driver)),
  ]
  return [...new Set(all)]
}

function shapeOf(shapes: Readonly<Record<string, DriverShape>>, type: string): DriverShape | null {
  return Object.hasOwn(shapes, type) ? (shapes[type] ?? null) : null
}

/** What is said of a part in the words of v2 need not be said of the whole in those of a fleet file. */
function isSaid(field: string, errors: readonly FieldError[]): boolean {
  return errors.some((error) => error.field === field || error.field.startsWith(`${field}/`))
}

function invalid(field: string, message: string): FieldError {
  return { field, reason: 'invalid', message }
}

function lacking(field: string, message: string): FieldError {
  return { field, reason: 'required', message }
}

function notThere(field: string, noun: string, id: string): FieldError {
  return { field, reason: 'notFound', message: `there is no ${noun} ${show(id)}.` }
}

/** Two rules may say the same of one place. */
function withoutRepeats(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.field} ${error.message}`, error])).values()]
}
