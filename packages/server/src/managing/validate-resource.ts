// managing/validate-resource.ts: whether a resource may be written: everything that is wrong with it, all at once, each
// with a JSON pointer into the resource. Its shape has been checked before, by the schema of the contract. Options of
// drivers, rules of monitors and references are judged by the same code that judges fleet files. No message repeats a
// value that was sent or that a credential holds.
import type { v2 } from '@pulseward/contract'
import { externalType } from '../config/external-driver.ts'
import { derivedIdentityPrefix, identityOf } from '../config/fleet-file/identity.ts'
import { endpointMistakes, MonitorValidator } from '../config/fleet-file/monitor-validator.ts'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import { compileJobType } from '../resources/job-type.ts'
import type { Json } from '../resources/json.ts'
import { placeholdersIn } from '../resources/redact-config.ts'
import { configWithReferences, shapeOf } from './driver-config.ts'
import { asError, type FieldError, notThere, rule } from './field-error.ts'
import { jsonPointer, monitorDocument, pointerInMonitor } from './monitor-document.ts'
import type { Surroundings } from './surroundings.ts'
import {
  driverErrors,
  driverOfEndpoint,
  driversOf,
  endpointValueErrors,
  valueErrors,
} from './validate-driver.ts'

type MonitorResource = Pick<v2.Monitor, 'metadata' | 'spec'>
type EndpointResource = Pick<v2.NotificationEndpoint, 'metadata' | 'spec'>
type GroupResource = Pick<v2.NotificationGroup, 'metadata' | 'spec'>
type CredentialResource = Pick<v2.Credential, 'metadata' | 'spec'>
type JobTypeResource = Pick<v2.JobType, 'metadata' | 'spec'>

/** What other programs show in place of a secret, and a client may send back by mistake. */
const placeholder = /^(redacted|\[hidden\]|\*{3,}|<hidden>)$/i

export class ResourceValidator {
  readonly #monitors: MonitorValidator
  /** Names that no job type may take. */
  readonly #builtIn: ReadonlySet<string>

  constructor(drivers: DriverShapes) {
    this.#monitors = new MonitorValidator(drivers, 'always told', true)
    this.#builtIn = builtInNames(drivers)
  }

  monitor(monitor: MonitorResource, around: Surroundings): FieldError[] {
    const { metadata, spec } = monitor
    const errors = idErrors(metadata)
    const placed = driversOf(spec, around)
    const ofDrivers = placed.flatMap((one) => driverErrors(one, around))
    const mistakes = this.#monitors.mistakes(monitorDocument(monitor, around.drivers)) ?? []
    errors.push(...mistakes.map((mistake) => asError(mistake, pointerInMonitor)).filter(notSaidBy(ofDrivers)))
    errors.push(...ofDrivers)
    errors.push(...destinationErrors(spec, around), ...dependencyErrors(monitor, around))
    // Values are put into options that are right otherwise.
    for (const one of placed)
      if (!errors.some(({ field }) => field.startsWith(one.pointer))) errors.push(...valueErrors(one, around))
    return withoutRepeats([...errors, ...placeholderErrors(spec)])
  }

  endpoint({ metadata, spec }: EndpointResource, around: Surroundings): FieldError[] {
    const { drivers } = around
    const placed = driverOfEndpoint(spec, around)
    const isOwn = shapeOf(placed.shapes, spec.type) !== null
    const config = configWithReferences(spec)
    const mistakes = isOwn ? endpointMistakes(drivers, { type: spec.type, config }, ['spec']) : []
    const ofDriver = driverErrors(placed, around)
    const errors = [
      ...idErrors(metadata),
      ...mistakes.map((mistake) => asError(mistake, jsonPointer)).filter(notSaidBy(ofDriver)),
      ...ofDriver,
      ...placeholderErrors(spec),
    ]
    if (!errors.some(({ field }) => field.startsWith('/spec')))
      errors.push(...endpointValueErrors(spec, around))
    return withoutRepeats(errors)
  }

  group({ metadata, spec }: GroupResource, around: Surroundings): FieldError[] {
    const missing = spec.endpointRefs.flatMap((id, index) =>
      around.hasEndpoint(id) ? [] : [notThere(`/spec/endpointRefs/${index}`, 'an endpoint')],
    )
    return [...idErrors(metadata), ...missing]
  }

  /** isNew: a credential that is created needs a value; an update without one keeps what is there. */
  credential({ metadata, spec }: CredentialResource, isNew: boolean): FieldError[] {
    const errors = idErrors(metadata)
    if (spec.value === undefined && isNew)
      errors.push({
        field: '/spec/value',
        reason: 'required',
        message: 'is missing: a new credential needs a value',
      })
    else if (
      spec.value !== undefined &&
      (placeholder.test(spec.value) || placeholdersIn(spec.value).length > 0)
    )
      errors.push({
        field: '/spec/value',
        reason: 'notAllowed',
        message: 'is a placeholder and not a secret; leave it out to keep the value',
      })
    return errors
  }

  jobType({ metadata, spec }: JobTypeResource): FieldError[] {
    return [...idErrors(metadata), ...compileJobType(metadata.id, spec, this.#builtIn).mistakes]
  }
}

/** Of every driver of any kind, and what job types become in the fleet. */
export function builtInNames({ checks, recoveries, notifiers }: DriverShapes): ReadonlySet<string> {
  return new Set([...[checks, recoveries, notifiers].flatMap((shapes) => Object.keys(shapes)), externalType])
}

/** The name is told apart by the document, which has it from the id where it is not given. */
function idErrors(metadata: { readonly id: string; readonly name?: string }): FieldError[] {
  const { id, name } = metadata
  if (!id.startsWith(derivedIdentityPrefix)) return []
  if (name !== undefined && identityOf({ name }) === id) return []
  const message = `must be made from the name when it begins with "${derivedIdentityPrefix}": "${derivedIdentityPrefix}" and the SHA-256 of the name`
  return [rule('/metadata/id', message)]
}

function destinationErrors({ notifications = {} }: v2.Monitor['spec'], around: Surroundings): FieldError[] {
  return Object.entries(notifications).flatMap(([color, rule]) => {
    const at = `/spec/notifications/${color}`
    const endpoints = (rule?.endpointRefs ?? []).flatMap((id, index) =>
      around.hasEndpoint(id) ? [] : [notThere(`${at}/endpointRefs/${index}`, 'an endpoint')],
    )
    const groups = (rule?.groupRefs ?? []).flatMap((id, index) =>
      around.hasGroup(id) ? [] : [notThere(`${at}/groupRefs/${index}`, 'a group')],
    )
    return [...endpoints, ...groups]
  })
}

/** What a reader was shown in place of secrets must not become the value. */
function placeholderErrors(spec: object): FieldError[] {
  return placeholdersIn(spec as Json, '/spec').map((field) => ({
    field,
    reason: 'notAllowed',
    message: 'holds a placeholder, which readers see in place of a secret; send what it stands for',
  }))
}

/** Parents that are missing, and a circle that this monitor would close. */
function dependencyErrors({ metadata, spec }: MonitorResource, around: Surroundings): FieldError[] {
  const parents = spec.dependsOn ?? []
  const missing = parents.flatMap((id, index) =>
    id === metadata.id || around.hasMonitor(id) ? [] : [notThere(`/spec/dependsOn/${index}`, 'a monitor')],
  )
  const circle = circleThrough(metadata.id, parents, around)
  if (circle === null) return missing
  const shown = circle.slice(0, shownOfCircle).map((id) => `"${id}"`)
  if (circle.length > shownOfCircle) shown.push(`${circle.length - shownOfCircle} more`)
  const message = `leads back to the monitor itself: ${[...shown, `"${metadata.id}"`].join(' → ')}`
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

/** What is said of a part in the words of v2 need not be said of the whole in those of a fleet file. */
function notSaidBy(errors: readonly FieldError[]): (error: FieldError) => boolean {
  return ({ field }) => !errors.some((error) => error.field === field || error.field.startsWith(`${field}/`))
}

/** Two rules may say the same of one place. */
function withoutRepeats(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.field} ${error.message}`, error])).values()]
}
