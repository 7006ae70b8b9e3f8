// kinds/monitor.ts: the kind Monitor: what is checked. The fleet holds up to a million of them, in rows.
import type { v2 } from '@pulseward/contract'
import { MonitorValidator } from '../config/fleet-file/monitor-validator.ts'
import { dependsOnItself } from '../config/fleet-file/reference-words.ts'
import { isReported } from '../config/push-check.ts'
import { asFieldError, type FieldError } from '../config/shape/explain.ts'
import { missingFrom, missingOne, rule } from './field-error.ts'
import { idErrors, notSaidBy, placeholderErrors, voiceFor, withoutRepeats } from './judging.ts'
import { defineKind, type Sent } from './kind.ts'
import { monitorDocument, pointerInMonitor } from './monitor-document.ts'
import { someMonitors } from './named-in-fleet.ts'
import { placedDrivers } from './placed-driver.ts'
import { keyReferences, ownerInWords } from './push-keys.ts'
import { keysOfKind } from './references.ts'
import type { Surroundings } from './surroundings.ts'
import { driverErrors, valueErrors } from './validate-driver.ts'

type Spec = v2.Monitor['spec']

const drivers = [
  { category: 'check', path: ['check', 'driver'] },
  { category: 'recovery', path: ['recovery', 'driver'] },
] as const

export const monitorKind = defineKind<'Monitor'>({
  drivers,
  names({ dependsOn, notifications, policyRef }) {
    if (dependsOn === undefined && notifications === undefined && policyRef === undefined) return []
    const rules = Object.values(notifications ?? {})
    return [
      ...keysOfKind('Monitor', dependsOn),
      ...keysOfKind('Policy', policyRef === undefined ? [] : [policyRef]),
      ...keysOfKind(
        'NotificationEndpoint',
        rules.flatMap(({ endpointRefs = [] }) => endpointRefs),
      ),
      ...keysOfKind(
        'NotificationGroup',
        rules.flatMap(({ groupRefs = [] }) => groupRefs),
      ),
    ]
  },
  judge(shapes) {
    const documents = new MonitorValidator(shapes, 'always told', true)
    return (monitor, around) => {
      const { metadata, spec } = monitor
      const errors = idErrors(metadata)
      const placed = placedDrivers({ drivers }, spec, around.drivers)
      const ofDrivers = placed.flatMap((one) => driverErrors(one, around))
      const mistakes = documents.mistakes(monitorDocument(monitor, around.drivers)) ?? []
      errors.push(
        ...mistakes
          .map((mistake) => asFieldError(mistake, pointerInMonitor, voiceFor(mistake)))
          .filter(notSaidBy(ofDrivers)),
      )
      errors.push(...ofDrivers, ...timingErrors(spec), ...placeErrors(spec))
      errors.push(...destinationErrors(spec, around), ...dependencyErrors(monitor, around))
      // Credential values are only tested in options that are otherwise valid.
      for (const one of placed)
        if (!errors.some(({ field }) => field.startsWith(one.pointer)))
          errors.push(...valueErrors(one, around))
      if (errors.length === 0) errors.push(...keyErrors(monitor, around))
      return withoutRepeats([...errors, ...placeholderErrors(spec)])
    }
  },
  usersIn: ({ fleet }, id) =>
    fleet.someHas('dependencies', (parents) => parents.includes(id)) ? [someMonitors] : [],
})

/** A push key says which monitor a signal is for, so no two monitors have the same. */
function keyErrors({ metadata, spec }: Sent<Spec>, around: Surroundings): FieldError[] {
  const seen = new Set<string>()
  return keyReferences(spec.check.driver).flatMap(({ field, credentialId }) => {
    const key = around.credentialValue(credentialId)
    if (key === null) return []
    const isRepeated = seen.has(key)
    seen.add(key)
    const owner = isRepeated ? metadata.id : (around.monitorWithKey(key) ?? metadata.id)
    if (owner === metadata.id && !isRepeated) return []
    const whose = ownerInWords(owner, metadata.id)
    const message = `names a credential with the same value as a key of ${whose}; give each its own`
    return [rule(`/spec/check/driver/credentialRefs/${field}`, message)]
  })
}

/** Only what reports by itself has neither. */
function timingErrors({ check }: Spec): FieldError[] {
  if (isReported(check.driver.type)) return []
  const missing = (['interval', 'timeout'] as const).filter((field) => check[field] === undefined)
  return missing.map((field) => ({
    field: '/spec/check',
    reason: 'required',
    message: `"${field}" is missing; a check of the type ${check.driver.type} needs it`,
  }))
}

/** A rule about locations that are named is judged as in a fleet file. */
function placeErrors({ check: { locations, failsWhen } }: Spec): FieldError[] {
  if (failsWhen === undefined || locations !== undefined) return []
  return [
    rule('/spec/check/failsWhen', 'does nothing with one location; name more in locations, or remove it'),
  ]
}

function destinationErrors({ notifications = {}, policyRef }: Spec, around: Surroundings): FieldError[] {
  const ofColors = Object.entries(notifications).flatMap(([color, rule]) => {
    const at = `/spec/notifications/${color}`
    return [
      ...missingFrom(around, 'NotificationEndpoint', rule?.endpointRefs, `${at}/endpointRefs`),
      ...missingFrom(around, 'NotificationGroup', rule?.groupRefs, `${at}/groupRefs`),
    ]
  })
  return [...ofColors, ...missingOne(around, 'Policy', policyRef, '/spec/policyRef')]
}

/** Missing parents, and a cycle that this monitor would close. */
function dependencyErrors({ metadata, spec }: Sent<Spec>, around: Surroundings): FieldError[] {
  const parents = spec.dependsOn ?? []
  const withItself = {
    has: (_: 'Monitor', id: string) => id === metadata.id || around.has('Monitor', id),
    someIds: (kind: v2.ResourceKind) => around.someIds(kind),
  }
  const missing = missingFrom(withItself, 'Monitor', parents, '/spec/dependsOn')
  const circle = circleThrough(metadata.id, parents, around)
  if (circle === null) return missing
  return [...missing, circleError(metadata.id, circle.slice(1, shownOfCircle), circle.length - 1)]
}

/** How many monitors of a cycle are named. */
export const shownOfCircle = 8

/** `way`: the first monitors on the path back to this one; `length`: how many there are. */
export function circleError(id: string, way: readonly string[], length: number): FieldError {
  return { field: '/spec/dependsOn', reason: 'cycle', message: dependsOnItself(id, way, length) }
}

/** The path from the monitor back to itself; null if there is none. Uses an explicit stack: chains may be long. */
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
